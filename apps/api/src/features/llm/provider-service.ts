import { guessProviderKind } from '@docwright/agent-core';
import { DomainError, type LlmProvider, type PageQuery, type PutLlmProviderBody } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { HostGuard } from '../../platform/network/host-guard.ts';
import type { EndpointModelList } from './endpoint/endpoint-model-list.ts';
import { readEndpointModels } from './endpoint/endpoint-models.ts';
import { chatModelsOf, isChatModel, offeredModels, type EndpointAcceptsImages } from './offered-models.ts';
import { defaultProviderName } from './provider-model.ts';
import { blankProvider, type ProviderRepository, type StoredProvider } from './provider-repository.ts';
import type { PromptRepository } from '../prompts/index.ts';
import type { ModelService } from './model-service.ts';
import { requireUnused } from './prompts-of-provider.ts';
import { isMasked, maskToken, tokenPlaceOf, type TokenVault } from './provider-token.ts';
import { pageOfItems, type PageEnd } from '../../platform/database/page.ts';
import { requireSeen } from '../../platform/records/seen-edit.ts';

interface ProviderServiceDependencies {
  providersOf: (organizationId: string) => ProviderRepository;
  endpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  fallbackModel: string | undefined;
  /** Whether the configured endpoint is the demo model of this process. */
  isInProcess: boolean;
  endpointModels: EndpointModelList;
  endpointAcceptsImages: EndpointAcceptsImages;
  guard: Pick<HostGuard, 'checkUrl'>;
  guardedFetch: typeof fetch;
  vault: TokenVault;
  modelsOf: (organizationId: string) => Pick<ModelService, 'list' | 'resolveModel'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
}

/** The providers of an organization, the configured endpoint first. Changes need an admin. */
export type ProviderService = ReturnType<typeof providerServiceFor>;

const maxProviders = 50;

export function createProviderService(dependencies: ProviderServiceDependencies): (actor: Actor) => ProviderService {
  return (actor) => providerServiceFor(actor, dependencies);
}

function providerServiceFor(actor: Actor, dependencies: ProviderServiceDependencies) {
  const { endpoint, fallbackModel, endpointModels, guard, guardedFetch, vault } = dependencies;
  const { organizationId } = actor;
  const providers = dependencies.providersOf(organizationId);

  const tokenOf = (provider: StoredProvider) =>
    provider.sealed_token === null
      ? undefined
      : vault.open(provider.sealed_token, tokenPlaceOf(organizationId, provider));

  function present(provider: StoredProvider): LlmProvider {
    const { name, base_url, sealed_token, litellm_models_enabled } = provider;
    return {
      name,
      display_name: provider.display_name ?? name,
      kind: provider.kind ?? guessProviderKind(base_url ?? '', litellm_models_enabled?.[0]),
      base_url: base_url ?? '',
      token: sealed_token === null ? null : maskToken(tokenOf(provider) ?? ''),
      enabled: provider.enabled,
      is_local: provider.is_local === true,
      litellm_models_available: provider.litellm_models_available,
      litellm_models_enabled: litellm_models_enabled ?? [],
      litellm_models_chat_agent: chatModelsOf(provider),
      litellm_models_vision: offeredModels({ ...provider, enabled: true })
        .filter(({ vision }) => vision === true)
        .map(({ id }) => id.slice(name.length + 1)),
      ...learnedFields(provider),
    };
  }

  async function presentDefault(choice: StoredProvider | undefined): Promise<LlmProvider> {
    const available = (await endpointModels.ids()) ?? [];
    const notForChat = await endpointModels.notForChat();
    const configured = [endpoint.model, ...(fallbackModel === undefined ? [] : [fallbackModel])];
    const chosen = choice?.litellm_models_enabled ?? available;
    const enabled = [...new Set([...configured, ...chosen])];
    const chat = choice?.litellm_models_chat_agent;
    return {
      name: defaultProviderName,
      display_name: choice?.display_name ?? 'Endpoint of the settings',
      kind: guessProviderKind(endpoint.baseUrl, endpoint.model),
      base_url: withoutCredentials(endpoint.baseUrl),
      token: endpoint.apiKey === undefined ? null : maskToken(''),
      enabled: true,
      is_local: dependencies.isInProcess || choice?.is_local === true,
      litellm_models_available: available,
      litellm_models_enabled: enabled,
      litellm_models_chat_agent: enabled.filter(
        (id) => configured.includes(id) || (chat?.includes(id) ?? isChatModel(id, notForChat)),
      ),
      litellm_models_vision: enabled.filter((id) => dependencies.endpointAcceptsImages(id, choice)),
      ...learnedFields(choice),
    };
  }

  /** The sealed token to store. A token is never sent to another origin than the one it was given for. */
  function nextToken(body: PutLlmProviderBody, before: StoredProvider | undefined, next: StoredProvider) {
    const { token } = body;
    if (token === null || token === '') return null;
    const place = tokenPlaceOf(organizationId, next);
    if (token === undefined || isMasked(token)) {
      if (before === undefined || before.sealed_token === null) {
        if (token !== undefined) throw maskedToken();
        return null;
      }
      if (token !== undefined && token !== present(before).token) throw maskedToken();
      return tokenPlaceOf(organizationId, before).origin === place.origin ? before.sealed_token : null;
    }
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new DomainError('invalid', 'token_malformed', 'A token has printable ASCII characters and no spaces.');
    }
    return vault.seal(token, place);
  }

  async function replace(before: StoredProvider | undefined, next: StoredProvider): Promise<void> {
    if (!(await providers.replace(before, next, actor.userId))) throw providerChanged();
  }

  return {
    async list(page: PageQuery): Promise<{ providers: LlmProvider[]; skip: number; limit: number } & PageEnd> {
      const stored = await providers.list();
      const own = stored.filter(({ name }) => name !== defaultProviderName).map(present);
      const all = [await presentDefault(stored.find(({ name }) => name === defaultProviderName)), ...own];
      const { items, end } = pageOfItems(all, page, ({ name }) => name);
      return { providers: items, ...end, skip: page.skip, limit: page.limit };
    },
    /**
     * Omitted fields stay unchanged. Throws `base_url_refused`, `base_url_required`, `token_masked`,
     * `provider_of_settings`.
     */
    async put(name: string, body: PutLlmProviderBody): Promise<{ provider: LlmProvider; created: boolean }> {
      requireAdmin(actor);
      const before = await providers.get(name);
      if (name === defaultProviderName) {
        requireSeen('provider', body.seen, await presentDefault(before));
        requireChoiceOnly(body);
        const next = applyChange(before ?? blankProvider(name), body);
        await replace(before, next);
        return { provider: await presentDefault(next), created: false };
      }
      requireSeen('provider', body.seen, before === undefined ? {} : present(before));
      if (before === undefined && (await providers.list()).length >= maxProviders) throw tooMany();
      const next = applyChange(before ?? blankProvider(name), body);
      if (next.base_url === null) throw baseUrlRequired();
      if (body.base_url !== undefined) await guard.checkUrl(next.base_url);
      const sealed = { ...next, sealed_token: nextToken(body, before, next) };
      await replace(before, sealed);
      return { provider: present(sealed), created: before === undefined };
    },
    /** Reads the endpoint's models. Throws `provider_not_found`; kind `model_failed` if the endpoint lists none. */
    async discover(name: string, signal: AbortSignal): Promise<LlmProvider> {
      requireAdmin(actor);
      const before = await providers.get(name);
      if (name === defaultProviderName) {
        if ((await endpointModels.refresh()) === undefined) await readEndpointModels(endpoint, fetch);
        return await presentDefault(before);
      }
      if (before === undefined) throw notFound();
      const apiKey = tokenOf(before);
      const { ids, notForChat } = await readEndpointModels(
        { baseUrl: before.base_url ?? '', apiKey },
        until(signal, guardedFetch),
      );
      const next = { ...before, litellm_models_available: ids, models_not_for_chat: notForChat };
      await replace(before, next);
      return present(next);
    },
    /**
     * Throws `provider_not_found`, `provider_of_settings`, and `provider_in_use` while a current prompt uses one of its
     * models.
     */
    async delete(name: string): Promise<void> {
      requireAdmin(actor);
      if (name === defaultProviderName) {
        throw new DomainError(
          'invalid',
          'provider_of_settings',
          'The provider "default" is the configured endpoint and cannot be deleted. Choose which of its models are offered instead.',
        );
      }
      const before = await providers.get(name);
      if (before === undefined) throw notFound();
      await requireUnused(dependencies, organizationId, name);
      if (!(await providers.remove(before))) throw providerChanged();
    },
  };
}

function applyChange(provider: StoredProvider, body: PutLlmProviderBody): StoredProvider {
  const enabled = body.litellm_models_enabled ?? provider.litellm_models_enabled;
  const chat = body.litellm_models_chat_agent ?? provider.litellm_models_chat_agent;
  const vision = body.litellm_models_vision ?? provider.litellm_models_vision ?? null;
  const reasoning =
    body.reasoning && Object.entries(body.reasoning).map(([model, level]) => ({ model, reasoning: level }));
  const dialect = keptRefusals(provider, body);
  return {
    ...provider,
    ...(reasoning && { models_reasoning: reasoning }),
    ...(dialect && { dialect }),
    display_name: body.display_name ?? provider.display_name,
    kind: body.kind === undefined ? provider.kind : body.kind,
    base_url: body.base_url ?? provider.base_url,
    enabled: body.enabled ?? provider.enabled,
    is_local: body.is_local ?? (provider.is_local === true && hasSameOrigin(provider.base_url, body.base_url)),
    litellm_models_enabled: enabled && [...new Set(enabled)],
    litellm_models_chat_agent: chat && [...new Set(chat)],
    litellm_models_vision: vision && [...new Set(vision)],
  };
}

function learnedFields(provider: StoredProvider | undefined): Pick<LlmProvider, 'reasoning' | 'dialect'> {
  const levels = (provider?.models_reasoning ?? []).map(({ model, reasoning }) => [model, reasoning] as const);
  return { reasoning: Object.fromEntries(levels), dialect: provider?.dialect ?? [] };
}

/**
 * What is still known of the endpoint: another address knows nothing, refusals that the body leaves out are forgotten, and
 * so is a refusal of images where a person says again that the model sees.
 */
function keptRefusals(provider: StoredProvider, body: PutLlmProviderBody): StoredProvider['dialect'] {
  const { dialect } = provider;
  if (dialect === undefined) return undefined;
  if (body.base_url !== undefined && body.base_url !== provider.base_url) return [];
  const { dialect: kept, litellm_models_vision: seeing } = body;
  if (kept === undefined && seeing === undefined) return dialect;
  return dialect.filter(
    ({ model, refused }) =>
      (kept?.some((entry) => entry.model === model && entry.refused === refused) ?? true) &&
      !(refused === 'images' && seeing?.includes(model) === true),
  );
}

function hasSameOrigin(before: string | null, next: string | undefined): boolean {
  return next === undefined || URL.parse(next)?.origin === URL.parse(before ?? '')?.origin;
}

/** URL, token and kind of the configured endpoint are the operator's. */
function requireChoiceOnly({ base_url, token, kind, enabled }: PutLlmProviderBody): void {
  if (base_url === undefined && token === undefined && kind === undefined && enabled !== false) return;
  throw new DomainError(
    'invalid',
    'provider_of_settings',
    'The provider "default" is the configured endpoint: only its display_name and its lists of models can be changed here. Use another name for another provider.',
  );
}

function notFound(): DomainError {
  return new DomainError('not_found', 'provider_not_found', 'The provider does not exist.');
}

function providerChanged(): DomainError {
  return new DomainError(
    'conflict',
    'provider_changed',
    'The provider was changed meanwhile. Reload it and repeat your change.',
  );
}

function withoutCredentials(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? '' : `${url.origin}${url.pathname}`;
}

function maskedToken(): DomainError {
  return new DomainError(
    'invalid',
    'token_masked',
    'This masked token is not the stored one. Send the whole token, or omit it to keep the stored one.',
  );
}

function baseUrlRequired(): DomainError {
  return new DomainError('invalid', 'base_url_required', 'A new provider needs a base_url, which usually ends in /v1.');
}

function tooMany(): DomainError {
  return new DomainError(
    'invalid',
    'too_many_providers',
    `An organization can have at most ${maxProviders} providers.`,
  );
}

/** Requests that end with the signal, too. */
const until =
  (ending: AbortSignal, through: typeof fetch): typeof fetch =>
  (address, { signal, ...init } = {}) =>
    through(address, { ...init, signal: signal ? AbortSignal.any([signal, ending]) : ending });
