import { defineFeature } from '../../platform/feature.ts';
import { pluginRoutes } from './plugin-routes.ts';

/** The plugins that pipelines consist of. */
export const pluginsFeature = defineFeature({
  create: (_needs: object) => ({}),
  routes: async (app) => app.register(pluginRoutes),
});
