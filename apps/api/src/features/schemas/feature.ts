import { defineFeature } from '../../platform/feature.ts';
import type { Actor } from '../identity/actor.ts';
import { schemaRoutes } from './schema-routes.ts';
import type { SchemaService } from './schema-service.ts';

/** The routes of schemas. Their services stand with extractions: each of tags, schemas and prompts asks the others who uses it. */
export const schemasFeature = defineFeature({
  create: (_needs: { schemas: (actor: Actor) => SchemaService }) => ({}),
  routes: async (app, { schemas }) => app.register(schemaRoutes, { services: { schemas } }),
});
