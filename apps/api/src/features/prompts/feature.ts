import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditWrites } from '../audit/index.ts';
import { createEndReview } from '../revisions/index.ts';
import { createSchemaRepositories } from '../schemas/index.ts';
import { createTagCheck } from '../tags/index.ts';
import { createPromptRepositories } from './prompt-repository.ts';
import { promptRoutes } from './prompt-routes.ts';
import { createPromptService, type EmitPolicyChange } from './prompt-service.ts';

interface PromptNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  documentTags: { of(organizationId: string, documentId: string): Promise<string[] | undefined> };
  models: (organizationId: string) => { resolveModel(model: string): Promise<unknown> };
}

/** Callbacks of later features, called in the order of registration. */
export interface PromptHooks {
  onPolicyChange(listener: EmitPolicyChange): void;
}

/** Prompts, and queries for the prompts that use a schema or a tag. */
export const promptsFeature = defineFeature({
  create({ connection, auditWrites, documentTags, models }: PromptNeeds) {
    const promptsOf = createPromptRepositories(connection);
    const policyListeners: EmitPolicyChange[] = [];
    const promptHooks: PromptHooks = { onPolicyChange: (listener) => void policyListeners.push(listener) };
    const emitPolicyChange: EmitPolicyChange = async (...change) => {
      for (const listener of policyListeners) await listener(...change);
    };
    const prompts = createPromptService({
      auditWrites,
      promptsOf,
      schemasOf: createSchemaRepositories(connection),
      endSchemaReview: createEndReview(connection, 'schema'),
      checkTags: createTagCheck(connection),
      tagsOfDocument: (organizationId, documentId) => documentTags.of(organizationId, documentId),
      emitPolicyChange,
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
    return { prompts, promptServices, promptHooks, emitPolicyChange };
  },
  routes: async (app, services) => app.register(promptRoutes, { services }),
});
