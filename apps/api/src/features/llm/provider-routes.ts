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
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { ProviderService } from './provider-service.ts';

const operation = operationsOf('llm');
const listPath = z.object({ org_id: objectId });
const providerPath = listPath.extend({ name: providerName });

export const providerRoutes: FastifyPluginAsyncZod<{
  services: { providers: (actor: Actor) => ProviderService };
}> = async (app, { services: { providers: providersFor } }) => {
  app.get(
    '/v0/orgs/:org_id/llm/providers',
    operation({
      operationId: 'listProviders',
      summary: 'List model providers, the configured one first',
      description:
        'The configured endpoint is the provider `default`. Tokens are masked. `litellm_models_available` contains the models of the last discovery.',
      params: listPath,
      querystring: pageQuery,
      response: { 200: llmProviderList },
    }),
    async (request) => providersFor(request.actor).list(request.query),
  );

  app.put(
    '/v0/orgs/:org_id/llm/providers/:name',
    operation({
      operationId: 'putProvider',
      summary: 'Add or change a model provider',
      description: [
        'Admins only. Omitted fields stay unchanged; 201 for a new provider, which needs a `base_url`.',
        'A `base_url` that leads to a private, loopback or link-local address is refused unless the operator lists its host in `LLM_ALLOWED_HOSTS`; every connection checks again.',
        'The `token` is stored encrypted and shown masked. Omitted or sent back masked, it stays; null or empty removes it; a `base_url` on another host removes it unless it is sent again.',
        'If `kind` is null, it is derived from the URL and the models. `litellm_models_enabled` lists the usable models, `litellm_models_chat_agent` those offered for chat (omitted: those that look like chat models), `litellm_models_vision` those that accept images: they get the images of pages whose text is uncertain or empty. `reasoning` says how much each model thinks: `off`, `low`, `medium` or `high`; it is sent in the form of the endpoint.',
        '`dialect` lists what the endpoint refused for a model; the next plainer form was accepted and is sent from then on. Entries that are left out of a sent `dialect` are forgotten and tried again; none can be added. Another `base_url` forgets all.',
        'Of the provider `default`, only `display_name`, the three lists, `reasoning` and `dialect` can be changed, and the configured models stay enabled.',
      ].join(' '),
      params: providerPath,
      body: putLlmProviderBody.meta({
        examples: [
          {
            display_name: 'Proxy',
            base_url: 'https://llm.example.com/v1',
            token: 'sk-example',
            enabled: true,
            litellm_models_enabled: ['small', 'large'],
          },
        ],
      }),
      errors: [
        'base_url_refused',
        'base_url_required',
        'provider_of_settings',
        'token_malformed',
        'token_masked',
        'too_many_providers',
        'admin_required',
        'provider_changed',
      ],
      response: { 200: llmProvider, 201: llmProvider },
    }),
    async (request, reply) => {
      const { provider, created } = await providersFor(request.actor).put(request.params.name, request.body);
      return reply.code(created ? 201 : 200).send(provider);
    },
  );

  app.delete(
    '/v0/orgs/:org_id/llm/providers/:name',
    operation({
      operationId: 'deleteProvider',
      summary: 'Delete a model provider with its token',
      description:
        'Admins only. `default` cannot be deleted, nor a provider whose models a current prompt uses. Conversations that last used one of its models continue with the default model.',
      params: providerPath,
      errors: ['provider_in_use', 'provider_of_settings', 'admin_required', 'provider_not_found', 'provider_changed'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await providersFor(request.actor).delete(request.params.name);
      return reply.code(204).send();
    },
  );

  app.post(
    '/v0/orgs/:org_id/llm/providers/:name/discover',
    operation({
      operationId: 'discoverModels',
      summary: 'Discover the models of a provider',
      description: 'Admins only. Fills `litellm_models_available` from `/models` of the endpoint; enables nothing.',
      params: providerPath,
      errors: [
        'base_url_refused',
        'admin_required',
        'provider_not_found',
        'provider_changed',
        'address_refused',
        'models_not_listed',
        'provider_token_unreadable',
        'redirect_refused',
      ],
      response: { 200: llmProvider },
    }),
    async (request) => providersFor(request.actor).discover(request.params.name),
  );
};
