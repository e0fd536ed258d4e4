import { pluginInfo, pluginKind } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import { listPlugins } from './registry.ts';

const operation = operationsOf('sources');

/** The plugins that pipelines consist of. */
export const pluginRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/api/v2/plugins',
    operation({
      operationId: 'listPlugins',
      summary: 'List the plugins of pipelines',
      description: 'Parsers, extractor, chunkers, embedder and index, each with the JSON Schema of its config.',
      querystring: z.object({ kind: pluginKind.optional() }),
      response: { 200: z.object({ plugins: z.array(pluginInfo) }) },
    }),
    async (request) => ({ plugins: listPlugins(request.query.kind) }),
  );
};
