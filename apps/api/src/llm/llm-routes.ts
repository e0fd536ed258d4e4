import { llmModelList, llmModelQuery, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ModelService } from './model-service.ts';

export const llmRoutes: FastifyPluginAsyncZod<{ services: { models: ModelService } }> = async (
  app,
  { services: { models } },
) => {
  app.get(
    '/v0/orgs/:org_id/llm/models',
    {
      schema: {
        tags: ['llm'],
        summary: 'The models on offer, the default one first',
        description:
          'What the endpoint lists, beside what the settings name; only the latter while the endpoint does not answer. `chat_only=true` leaves out models for other work, such as embeddings.',
        params: z.object({ org_id: objectId }),
        querystring: llmModelQuery,
        response: { 200: llmModelList },
      },
    },
    async (request) => ({ models: await models.list(request.query) }),
  );
};
