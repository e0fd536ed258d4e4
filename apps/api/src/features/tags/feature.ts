import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Actor } from '../identity/index.ts';
import { createTagRepositories } from './tag-repository.ts';
import { tagRoutes } from './tag-routes.ts';
import { createTagService, type TagService } from './tag-service.ts';

type CountWithTag = (organizationId: string, tagId: string) => Promise<number>;

interface TagNeeds {
  connection: Connection;
  documentTags: { countWith: CountWithTag };
  promptServices: { countWithTag: CountWithTag };
}

/** Tags. A tag of a document or a prompt cannot be deleted. */
export const tagsFeature = defineFeature({
  create: ({ connection, documentTags, promptServices }: TagNeeds) => ({
    tagServices: {
      tags: createTagService({
        tagsOf: createTagRepositories(connection),
        countDocumentsWith: (organizationId, tagId) => documentTags.countWith(organizationId, tagId),
        countPromptsWith: (organizationId, tagId) => promptServices.countWithTag(organizationId, tagId),
      }),
    },
  }),
});

/** The routes of tags. Their writes are audited. */
export const tagRoutesFeature = defineFeature({
  create: (_needs: { tags: (actor: Actor) => TagService }) => ({}),
  routes: async (app, { tags }) => app.register(tagRoutes, { services: { tags } }),
});
