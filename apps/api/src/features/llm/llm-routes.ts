import { llmModelList, llmModelQuery, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { ModelService } from './model-service.ts';

const operation = operationsOf('llm');

export const llmRoutes: FastifyPluginAsyncZod<{
  services: { models: (organizationId: string) => ModelService };
}> = async (app, { services: { models: modelsOf } }) => {
  app.get(
    '/v0/orgs/:org_id/llm/models',
    operation({
      operationId: 'listModels',
      summary: 'List the available models, the default first',
      description:
        "First the models of the provider `default`, the configured endpoint, under the names that it lists (while it is unreachable: those in the settings), then the enabled models of the organization's own providers, as `provider/model`. Chats and prompts accept these ids; the bare name of an own provider's model is accepted while it is unambiguous. A model that is not listed is 400 `model_not_enabled`. `chat_only=true` omits models for other work, such as embeddings.",
      params: z.object({ org_id: objectId }),
      querystring: llmModelQuery,
      response: { 200: llmModelList },
    }),
    async (request) => ({ models: await modelsOf(request.actor.organizationId).list(request.query) }),
  );
};
