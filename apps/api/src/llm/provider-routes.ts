import {
  llmProvider,
  llmProviderList,
  objectId,
  pageQuery,
  providerName,
  putLlmProviderBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/actor.ts';
import type { ProviderService } from './provider-service.ts';

const tags = ['llm'];
const listPath = z.object({ org_id: objectId });
const providerPath = listPath.extend({ name: providerName });

export const providerRoutes: FastifyPluginAsyncZod<{
  services: { providers: (actor: Actor) => ProviderService };
}> = async (app, { services: { providers: providersFor } }) => {
  app.get(
    '/v0/orgs/:org_id/llm/providers',
    {
      schema: {
        tags,
        summary: 'The model providers, the one of the settings first',
        description:
          'The endpoint of the settings is the provider `default`. Tokens are masked. `litellm_models_available` is what the endpoint listed when it was last asked.',
        params: listPath,
        querystring: pageQuery,
        response: { 200: llmProviderList },
      },
    },
    async (request) => providersFor(request.actor).list(request.query),
  );

  app.put(
    '/v0/orgs/:org_id/llm/providers/:name',
    {
      schema: {
        tags,
        summary: 'Add or change a model provider',
        description: [
          'Admins only. What is left out stays; 201 where the provider is new, which needs a `base_url`.',
          'A `base_url` that leads to a private, loopback or link-local address is refused (400 `base_url_refused`) unless the operator lists its host in `LLM_ALLOWED_HOSTS`; every connection checks again.',
          'The `token` is stored encrypted and shown masked. Left out, or sent back as it was shown, it stays; null or empty removes it; where `base_url` moves to another host it is removed unless it is given again.',
          '`kind` is guessed from the address and the models while it is null. `litellm_models_enabled` says what may be used, `litellm_models_chat_agent` which of these are offered for chat (left out: those that look like it).',
          'Of the provider `default` only `display_name` and the two lists can be changed (400 `provider_of_settings`), and the models that the settings name stay enabled.',
        ].join(' '),
        params: providerPath,
        body: putLlmProviderBody,
        response: { 200: llmProvider, 201: llmProvider },
      },
    },
    async (request, reply) => {
      const { provider, created } = await providersFor(request.actor).put(request.params.name, request.body);
      return reply.code(created ? 201 : 200).send(provider);
    },
  );

  app.delete(
    '/v0/orgs/:org_id/llm/providers/:name',
    {
      schema: {
        tags,
        summary: 'Delete a model provider with its token',
        description:
          'Admins only. 400 `provider_in_use` while a current prompt names one of its models, 400 `provider_of_settings` for `default`. Conversations that last used one of its models go on with the default model.',
        params: providerPath,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await providersFor(request.actor).delete(request.params.name);
      return reply.code(204).send();
    },
  );

  app.post(
    '/v0/orgs/:org_id/llm/providers/:name/discover',
    {
      schema: {
        tags,
        summary: 'Ask a provider for its models',
        description:
          'Admins only. Fills `litellm_models_available` from `/models` of the endpoint; enables nothing. 502 where it does not answer with a list.',
        params: providerPath,
        response: { 200: llmProvider },
      },
    },
    async (request) => providersFor(request.actor).discover(request.params.name),
  );
};
