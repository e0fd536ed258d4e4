import { defineFeature } from '../../platform/feature.ts';
import type { Actor } from '../identity/actor.ts';
import { promptRoutes } from './prompt-routes.ts';
import type { PromptService } from './prompt-service.ts';

/** The routes of prompts. Their services stand with extractions: each of tags, schemas and prompts asks the others who uses it. */
export const promptsFeature = defineFeature({
  create: (_needs: { prompts: (actor: Actor) => PromptService }) => ({}),
  routes: async (app, { prompts }) => app.register(promptRoutes, { services: { prompts } }),
});
