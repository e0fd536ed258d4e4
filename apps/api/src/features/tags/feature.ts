import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditWrites } from '../audit/index.ts';
import { createTagRepositories } from './tag-repository.ts';
import { tagRoutes } from './tag-routes.ts';
import { createTagService } from './tag-service.ts';

type CountWithTag = (organizationId: string, tagId: string) => Promise<number>;

interface TagNeeds {
  connection: Connection;
  auditWrites: AuditWrites;
  documentTags: { countWith: CountWithTag; keepWith: (organizationId: string, tagId: string) => Promise<void> };
  promptServices: { countWithTag: CountWithTag };
}

/** Tags. A tag of a document or a prompt cannot be deleted. */
export const tagsFeature = defineFeature({
  create: ({ connection, auditWrites, documentTags, promptServices }: TagNeeds) => ({
    tags: createTagService({
      auditWrites,
      tagsOf: createTagRepositories(connection),
      countDocumentsWith: (organizationId, tagId) => documentTags.countWith(organizationId, tagId),
      keepDocumentsWith: (organizationId, tagId) => documentTags.keepWith(organizationId, tagId),
      countPromptsWith: (organizationId, tagId) => promptServices.countWithTag(organizationId, tagId),
    }),
  }),
  routes: async (app, services) => app.register(tagRoutes, { services }),
});
