import { llmModelList, llmModelQuery, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ModelService } from './model-service.ts';

export const llmRoutes: FastifyPluginAsyncZod<{
  services: { models: (organizationId: string) => ModelService };
}> = async (app, { services: { models: modelsOf } }) => {
  app.get(
    '/v0/orgs/:org_id/llm/models',
    {
      schema: {
        tags: ['llm'],
        operationId: 'listModels',
        summary: 'List the models on offer, the default one first',
        description:
          "The models of the provider `default`, the endpoint of the settings, under the names that it lists (while it does not answer: those that the settings name), then the enabled models of the organization's own providers, as `provider/model`. These ids are what chats and prompts take; the bare name of an own provider's model stands for it while no other offers the same. A model that is not listed is 400 `model_not_enabled`. `chat_only=true` leaves out models for other work, such as embeddings.",
        params: z.object({ org_id: objectId }),
        querystring: llmModelQuery,
        response: { 200: llmModelList },
      },
    },
    async (request) => ({ models: await modelsOf(request.actor.organizationId).list(request.query) }),
  );
};
