import { defineFeature } from '../../platform/feature.ts';
import type { Actor } from '../identity/actor.ts';
import { tagRoutes } from './tag-routes.ts';
import type { TagService } from './tag-service.ts';

/** The routes of tags. Their services stand with extractions: each of tags, schemas and prompts asks the others who uses it. */
export const tagsFeature = defineFeature({
  create: (_needs: { tags: (actor: Actor) => TagService }) => ({}),
  routes: async (app, { tags }) => app.register(tagRoutes, { services: { tags } }),
});
