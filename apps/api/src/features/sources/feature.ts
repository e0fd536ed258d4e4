import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createMatchingDocumentRepositories } from '../extractions/index.ts';
import { createTagCheck } from '../tags/index.ts';
import { createSourceRepositories } from './source-repository.ts';
import { sourceRoutes } from './source-routes.ts';
import { createSourceService } from './source-service.ts';

/** Sets of documents for pipelines. */
export const sourcesFeature = defineFeature({
  create({ connection }: { connection: Connection }) {
    const matchingOf = createMatchingDocumentRepositories(connection);
    return {
      sources: createSourceService({
        sourcesOf: createSourceRepositories(connection),
        checkTags: createTagCheck(connection),
        existingDocuments: (organizationId, ids) => matchingOf(organizationId).existing(ids),
      }),
    };
  },
  routes: async (app, { sources }) => app.register(sourceRoutes, { services: { sources } }),
});
