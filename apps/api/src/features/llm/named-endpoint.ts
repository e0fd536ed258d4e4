import { createOpenAiLlmClient, type LlmClient } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import type { HostGuard } from '../../platform/network/host-guard.ts';
import { modelIdOf } from './offered-models.ts';
import { defaultProviderName } from './provider-model.ts';
import type { ProviderRepository } from './provider-repository.ts';

/** An endpoint named in a request, with the caller's key. Neither is stored. */
export interface NamedEndpoint {
  readonly endpoint: string;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
}

/** A client for the model's own name; or, for a known endpoint without a key, one of the organization's models. */
export type EndpointChoice =
  | { readonly client: LlmClient; readonly model: string }
  | { readonly offered: string | undefined };

/**
 * Throws `endpoint_refused` for an endpoint that is not allowed, `base_url_refused` for an invalid one,
 * `model_required`.
 */
type ChooseEndpoint = (organizationId: string, named: NamedEndpoint) => Promise<EndpointChoice>;

interface EndpointDependencies {
  /** The operator's configured endpoint, always allowed. */
  endpoint: { baseUrl: string };
  providersOf: (organizationId: string) => Pick<ProviderRepository, 'list'>;
  guard: Pick<HostGuard, 'checkUrl' | 'isListed'>;
  guardedFetch: typeof fetch;
}

const labels = {
  where: ' at the endpoint of the request',
  address: 'settings.endpoint',
  key: 'settings.apiKey',
  model: 'settings.modelName',
  administrator: 'The sender of the request',
};

/**
 * Decides where a request can send its conversation: to the operator's endpoint, to hosts in LLM_ALLOWED_HOSTS, and to
 * the addresses of the organization's providers. Stored keys are only used for the models that were enabled with them.
 */
export function createEndpointChoice(dependencies: EndpointDependencies): ChooseEndpoint {
  const { endpoint: own, providersOf, guard, guardedFetch } = dependencies;

  return async (organizationId, { endpoint, apiKey, model }) => {
    const url = baseUrlOf(endpoint);
    const clientAt = (baseUrl: string, guarded: boolean): EndpointChoice => {
      if (model === undefined) throw new DomainError('invalid', 'model_required', 'Name a model of the endpoint.');
      const key = apiKey === undefined ? {} : { apiKey };
      const client = createOpenAiLlmClient({ baseUrl, ...key, ...(guarded && { fetch: guardedFetch }), labels });
      return { client, model };
    };
    if (originOf(own.baseUrl) === url.origin) {
      // Its configured path: other services on that host are not for callers.
      return apiKey === undefined ? { offered: model } : clientAt(own.baseUrl, false);
    }
    const providers = (await providersOf(organizationId).list()).filter(
      ({ name, enabled, base_url }) =>
        name !== defaultProviderName && enabled && base_url !== null && originOf(base_url) === url.origin,
    );
    const [provider] = [
      ...providers.filter(
        ({ litellm_models_enabled }) => model !== undefined && litellm_models_enabled?.includes(model),
      ),
      ...providers,
    ];
    if (provider !== undefined && apiKey === undefined && model !== undefined) {
      return { offered: model.startsWith(`${provider.name}/`) ? model : modelIdOf(provider.name, model) };
    }
    if (provider === undefined && !guard.isListed(url)) throw refused(url.host);
    await guard.checkUrl(url.href);
    return clientAt(provider?.base_url ?? url.href, true);
  };
}

/** The base of a URL that might include the completions path. */
function baseUrlOf(text: string): URL {
  const url = URL.parse(text.trim());
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  ) {
    throw new DomainError(
      'invalid',
      'endpoint_refused',
      'An endpoint is an address that starts with http:// or https://, without user, password and query.',
    );
  }
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return url;
}

function originOf(text: string): string | undefined {
  return URL.parse(text)?.origin;
}

function refused(host: string): DomainError {
  return new DomainError(
    'invalid',
    'endpoint_refused',
    `${host} is not an endpoint of this organization. An admin can add it as a provider, or the operator can list it in LLM_ALLOWED_HOSTS. Without an endpoint, the organization's model is used.`,
  );
}
