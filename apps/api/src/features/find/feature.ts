import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createContentSearches } from './content-search-repository.ts';
import { findRoutes } from './find-routes.ts';

/** Finds documents by their names, the words on their pages and their extracted values. */
export const findFeature = defineFeature({
  create: ({ connection }: { connection: Connection }) => ({ contentSearchOf: createContentSearches(connection) }),
  routes: async (app, { contentSearchOf }) => app.register(findRoutes, { contentSearchOf }),
});
