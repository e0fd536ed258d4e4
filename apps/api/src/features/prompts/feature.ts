import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Actor } from '../identity/index.ts';
import { createEndReview } from '../revisions/index.ts';
import { createSchemaRepositories } from '../schemas/index.ts';
import { createTagCheck, createTagRepositories } from '../tags/index.ts';
import { createPromptRepositories } from './prompt-repository.ts';
import { promptRoutes } from './prompt-routes.ts';
import { createPromptService, type PromptService } from './prompt-service.ts';

interface PromptNeeds {
  connection: Connection;
  documentTags: { of(organizationId: string, documentId: string): Promise<string[] | undefined> };
  models: (organizationId: string) => { resolveModel(model: string): Promise<unknown> };
}

/** Where later features say what they do when something happens to a prompt. All are called in the order they came. */
interface PromptHooks {
  /** Called when the review policy of a prompt was set, changed or removed. */
  onPolicyChange(change: (organizationId: string, promptId: string) => Promise<void>): void;
}

/** Prompts, and which of them use a schema or a tag. */
export const promptsFeature = defineFeature({
  create({ connection, documentTags, models }: PromptNeeds) {
    const promptsOf = createPromptRepositories(connection);
    const changing: Parameters<PromptHooks['onPolicyChange']>[0][] = [];
    const promptHooks: PromptHooks = { onPolicyChange: (change) => void changing.push(change) };
    const prompts = createPromptService({
      promptsOf,
      schemasOf: createSchemaRepositories(connection),
      endSchemaReview: createEndReview(connection, 'schema'),
      checkTags: createTagCheck(createTagRepositories(connection)),
      tagsOfDocument: (organizationId, documentId) => documentTags.of(organizationId, documentId),
      async policyChanged(organizationId, promptId) {
        for (const change of changing) await change(organizationId, promptId);
      },
      checkModel: async (organizationId, model) => void (await models(organizationId).resolveModel(model)),
    });
    // Prompts that still wait for their review count as users too.
    const users = { skip: 0, limit: 5, review: 'any' } as const;
    const promptServices = {
      prompts,
      /** The first prompts whose current revision uses the schema. */
      usingSchema: async (organizationId: string, schema_id: string) =>
        (await promptsOf(organizationId).list({ ...users, schema_id })).revisions,
      countWithTag: async (organizationId: string, tagId: string) =>
        (await promptsOf(organizationId).list({ ...users, tag_ids: [tagId] })).total_count,
    };
    return { promptServices, promptHooks };
  },
});

/** The routes of prompts, whose writes stand in the audit log. */
export const promptRoutesFeature = defineFeature({
  create: (_needs: { prompts: (actor: Actor) => PromptService }) => ({}),
  routes: async (app, { prompts }) => app.register(promptRoutes, { services: { prompts } }),
});
