import { createOpenAiLlmClient, type LlmClient, type LlmMessage, type LlmRequest } from '@docwright/agent-core';
import { DomainError, type RefusedPart } from '@docwright/contract';
import { LruMap } from 'toad-cache';
import type { EndpointModelList } from './endpoint/endpoint-model-list.ts';
import { modelNotEnabled } from './model-service.ts';
import { partsOfModelId, reasoningField } from './offered-models.ts';
import { defaultProviderName } from './provider-model.ts';
import type { ProviderRepository, StoredProvider } from './provider-repository.ts';
import { tokenPlaceOf, type TokenVault } from './provider-token.ts';

export interface ModelRoute {
  /** Accepts requests with the model's listed id. */
  readonly client: LlmClient;
  /** Whether it is the configured endpoint, which has a fallback model. */
  readonly isDefault: boolean;
  /** Whether an admin marked its provider as local. */
  readonly isLocal: boolean | undefined;
}

interface ModelRouterDependencies {
  /** The configured endpoint and its configured models. */
  endpointClient: LlmClient;
  configuredModels: readonly string[];
  endpointModels: Pick<EndpointModelList, 'ids'>;
  providersOf: (organizationId: string) => Pick<ProviderRepository, 'get' | 'addRefusals'>;
  vault: Pick<TokenVault, 'open'>;
  /** Connects only to public and allowed addresses. */
  guardedFetch: typeof fetch;
  log: { warn(fields: object, message: string): void };
}

/** The client for a model of an organization. Throws `model_not_enabled` if its provider no longer offers it. */
type RouteModel = (organizationId: string, model: string) => Promise<ModelRoute>;

/** Maximum cached clients, over all organizations. */
const maxClients = 500;

export function createModelRouter(dependencies: ModelRouterDependencies): RouteModel {
  const { endpointClient, configuredModels, endpointModels, providersOf, vault, guardedFetch, log } = dependencies;
  const clients = new LruMap<LlmClient>(maxClients);

  /** Adds to each request what is set and known for its model: how much it thinks, and what its endpoint refuses. */
  function withSettings(client: LlmClient, organizationId: string, name: string, stored?: StoredProvider): LlmClient {
    const settled = (request: LlmRequest): LlmRequest => {
      const { model } = request;
      const refused = (stored?.dialect ?? []).filter((entry) => entry.model === model).map((entry) => entry.refused);
      const remember = (parts: readonly Omit<RefusedPart, 'model' | 'at'>[]) => {
        const at = new Date().toISOString();
        const learned = parts.map((part) => ({ ...part, model, at }));
        log.warn(
          { model, provider: name, refused: parts.map((part) => part.refused) },
          'an endpoint takes a plainer form',
        );
        providersOf(organizationId)
          .addRefusals(name, learned)
          .catch((error: unknown) => log.warn({ err: error, model }, 'what an endpoint refuses could not be stored'));
      };
      return { ...reasoningField(stored, model), ...request, dialect: { refused: new Set(refused), remember } };
    };
    return { stream: (request) => client.stream(settled(request)) };
  }

  async function viaEndpoint(organizationId: string): Promise<ModelRoute> {
    const stored = await providersOf(organizationId).get(defaultProviderName);
    const client = withSettings(endpointClient, organizationId, defaultProviderName, stored);
    return { client, isDefault: true, isLocal: undefined };
  }

  function clientOf(organizationId: string, provider: StoredProvider): LlmClient {
    const key = `${organizationId}/${provider.name}/${provider.version}`;
    const known = clients.get(key);
    if (known) return known;
    const { name, base_url, kind, sealed_token } = provider;
    const token = sealed_token === null ? undefined : vault.open(sealed_token, tokenPlaceOf(organizationId, provider));
    if (sealed_token !== null && token === undefined) throw unreadableToken(name);
    const labels = {
      where: ` of the provider "${name}"`,
      address: 'its base_url',
      key: 'its token',
      model: 'its models',
      administrator: 'An admin',
    };
    const client = createOpenAiLlmClient({
      baseUrl: base_url ?? '',
      ...(token === undefined ? {} : { apiKey: token }),
      ...(kind === null ? {} : { kind }),
      fetch: guardedFetch,
      labels,
    });
    clients.set(key, client);
    return client;
  }

  return async (organizationId, id) => {
    const parts = configuredModels.includes(id) ? undefined : partsOfModelId(id);
    if (parts === undefined || parts.provider === defaultProviderName) return await viaEndpoint(organizationId);
    const provider = await providersOf(organizationId).get(parts.provider);
    if (provider === undefined) return await viaEndpoint(organizationId);
    const isOffered = provider.enabled && provider.litellm_models_enabled?.includes(parts.model);
    if (!isOffered) {
      // A proxy's name for a model can look like one of ours.
      if ((await endpointModels.ids())?.includes(id)) return await viaEndpoint(organizationId);
      throw modelNotEnabled(id, []);
    }
    return {
      client: withModelName(
        withSettings(clientOf(organizationId, provider), organizationId, provider.name, provider),
        id,
        parts.model,
      ),
      isDefault: false,
      isLocal: provider.is_local === true,
    };
  };
}

/**
 * Requests a model by its provider's own name. Messages of other models are marked, so that a namesake at another
 * provider gets none of their signatures and reasoning.
 */
function withModelName(client: LlmClient, id: string, ownName: string): LlmClient {
  const forProvider = (message: LlmMessage): LlmMessage =>
    message.role === 'assistant' && message.model !== undefined
      ? { ...message, model: message.model === id ? ownName : `another than ${ownName}` }
      : message;
  return {
    async *stream(request) {
      const messages = request.messages.map(forProvider);
      for await (const chunks of client.stream({ ...request, model: ownName, messages })) {
        yield chunks.map((chunk) =>
          chunk.type === 'finish' ? { ...chunk, answer: { ...chunk.answer, model: id } } : chunk,
        );
      }
    },
  };
}

function unreadableToken(name: string): DomainError {
  return new DomainError(
    'model_failed',
    'provider_token_unreadable',
    `The stored token of the provider "${name}" cannot be decrypted. An admin must enter it again.`,
  );
}
