import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditWrites } from '../audit/index.ts';
import { createEndReview } from '../revisions/index.ts';
import { createSchemaRepositories } from '../schemas/index.ts';
import { createTagCheck } from '../tags/index.ts';
import { createPromptRepositories } from './prompt-repository.ts';
import { promptRoutes } from './prompt-routes.ts';
import { createPromptService } from './prompt-service.ts';

interface PromptNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  documentTags: { of(organizationId: string, documentId: string): Promise<string[] | undefined> };
  models: (organizationId: string) => { resolveModel(model: string): Promise<unknown> };
}

/** Callbacks of later features, called in the order of registration. */
export interface PromptHooks {
  /** Called after the review policy or the release policy of a prompt was set, changed or removed; `changed` names which. */
  onPolicyChange(
    listener: (organizationId: string, promptId: string, changed: readonly string[]) => Promise<void>,
  ): void;
}

/** Prompts, and queries for the prompts that use a schema or a tag. */
export const promptsFeature = defineFeature({
  create({ connection, auditWrites, documentTags, models }: PromptNeeds) {
    const promptsOf = createPromptRepositories(connection);
    const policyListeners: Parameters<PromptHooks['onPolicyChange']>[0][] = [];
    const promptHooks: PromptHooks = { onPolicyChange: (listener) => void policyListeners.push(listener) };
    const prompts = createPromptService({
      auditWrites,
      promptsOf,
      schemasOf: createSchemaRepositories(connection),
      endSchemaReview: createEndReview(connection, 'schema'),
      checkTags: createTagCheck(connection),
      tagsOfDocument: (organizationId, documentId) => documentTags.of(organizationId, documentId),
      async emitPolicyChange(...change) {
        for (const listener of policyListeners) await listener(...change);
      },
      checkModel: async (organizationId, model) => void (await models(organizationId).resolveModel(model)),
    });
    // Prompts pending review count too.
    const firstFew = { skip: 0, limit: 5, review: 'any' } as const;
    const promptServices = {
      /** The first prompts whose current revision uses the schema. */
      usingSchema: async (organizationId: string, schema_id: string) =>
        (await promptsOf(organizationId).list({ ...firstFew, schema_id })).revisions,
      countWithTag: async (organizationId: string, tagId: string) =>
        (await promptsOf(organizationId).list({ ...firstFew, tag_ids: [tagId] })).total_count,
    };
    return { prompts, promptServices, promptHooks };
  },
  routes: async (app, services) => app.register(promptRoutes, { services }),
});
