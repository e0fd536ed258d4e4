import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import { llmProvider, llmProviderList, providerName, putLlmProviderBody } from './llm-providers.ts';
import { reasoningLevel } from './model-dialect.ts';

export const llmModel = z.object({
  id: z.string(),
  provider: z.string(),
  chat_agent: z.boolean(),
  default: z.boolean(),
  /** Present if images of pages are sent to the model. */
  vision: z.literal(true).optional(),
  /** How much it thinks, if an admin has set it. */
  reasoning: reasoningLevel.optional(),
});
export type LlmModel = z.infer<typeof llmModel>;

export const llmModelList = z.object({ models: z.array(llmModel) });
export const llmModelQuery = z.object({
  chat_only: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});

export const llmOperations = describeOperations('llm', {
  'GET /v0/orgs/:org_id/llm/models': {
    operationId: 'listModels',
    summary: 'List the available models, the default first',
    description:
      "First the models of the provider `default`, the configured endpoint, under the names that it lists (while it is unreachable: those in the settings), then the enabled models of the organization's own providers, as `provider/model`. Chats and prompts accept these ids; the bare name of an own provider's model is accepted while it is unambiguous. A model that is not listed is 400 `model_not_enabled`. `chat_only=true` omits models for other work, such as embeddings.",
    querystring: llmModelQuery,
    response: { 200: llmModelList },
  },
  'GET /v0/orgs/:org_id/llm/providers': {
    operationId: 'listProviders',
    summary: 'List model providers, the configured one first',
    description:
      'The configured endpoint is the provider `default`. Tokens are masked. `litellm_models_available` contains the models of the last discovery.',
    querystring: pageQuery,
    response: { 200: llmProviderList },
  },
  'PUT /v0/orgs/:org_id/llm/providers/:name': {
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
    params: { name: providerName },
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
      'version_conflict',
    ],
    response: { 200: llmProvider, 201: llmProvider },
  },
  'DELETE /v0/orgs/:org_id/llm/providers/:name': {
    operationId: 'deleteProvider',
    summary: 'Delete a model provider with its token',
    description:
      'Admins only. `default` cannot be deleted, nor a provider whose models a current prompt uses. Conversations that last used one of its models continue with the default model.',
    params: { name: providerName },
    errors: ['provider_in_use', 'provider_of_settings', 'admin_required', 'provider_not_found', 'provider_changed'],
    response: { 204: z.undefined() },
  },
  'POST /v0/orgs/:org_id/llm/providers/:name/discover': {
    operationId: 'discoverModels',
    summary: 'Discover the models of a provider',
    description: 'Admins only. Fills `litellm_models_available` from `/models` of the endpoint; enables nothing.',
    params: { name: providerName },
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
  },
});
