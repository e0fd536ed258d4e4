import type { LlmProvider, ProviderKind, PutLlmProviderBody } from '@docwright/contract';

/** What a person fills in about a provider. */
export interface ProviderDraft {
  displayName: string;
  baseUrl: string;
  /** `guessed`: from the address and the models. */
  kind: ProviderKind | 'guessed';
  /** Empty: as it is. */
  token: string;
  removesToken: boolean;
  enabled: boolean;
  /** Models in use, and those of them that are offered for chat. */
  models: string[];
  chatModels: string[];
  /** Those of them that see images. */
  visionModels: string[];
}

/** The endpoint that the server was started with: its address and token are not the organization's. */
export const isOfSettings = (name: string | undefined) => name === 'default';

export function draftOf(provider: LlmProvider | undefined): ProviderDraft {
  return {
    displayName: provider?.display_name ?? '',
    baseUrl: provider?.base_url ?? '',
    kind: provider?.kind ?? 'guessed',
    token: '',
    removesToken: false,
    enabled: provider?.enabled ?? true,
    models: provider?.litellm_models_enabled ?? [],
    chatModels: provider?.litellm_models_chat_agent ?? [],
    visionModels: provider?.litellm_models_vision ?? [],
  };
}

/** The request that makes the provider what the draft says: what did not change is left out. */
export function bodyOf(draft: ProviderDraft, provider: LlmProvider | undefined): PutLlmProviderBody {
  const before = draftOf(provider);
  const displayName = draft.displayName.trim();
  const baseUrl = draft.baseUrl.trim();
  return {
    ...(displayName !== before.displayName && displayName !== '' ? { display_name: displayName } : {}),
    ...(baseUrl === before.baseUrl ? {} : { base_url: baseUrl }),
    ...(draft.kind === before.kind ? {} : { kind: draft.kind === 'guessed' ? null : draft.kind }),
    ...(draft.removesToken ? { token: null } : draft.token.trim() === '' ? {} : { token: draft.token.trim() }),
    ...(draft.enabled === before.enabled ? {} : { enabled: draft.enabled }),
    ...(same(draft.models, before.models) ? {} : { litellm_models_enabled: draft.models }),
    ...(same(draft.chatModels, before.chatModels) ? {} : { litellm_models_chat_agent: draft.chatModels }),
    ...(same(draft.visionModels, before.visionModels) ? {} : { litellm_models_vision: draft.visionModels }),
  };
}

const same = (one: string[], other: string[]) =>
  one.length === other.length && one.every((model) => other.includes(model));

/** Puts a model to use or takes it out of use; one that comes is offered for chat unless its name speaks against it. */
export function withModel(draft: ProviderDraft, model: string, inUse: boolean): ProviderDraft {
  const models = draft.models.filter((each) => each !== model);
  const chatModels = draft.chatModels.filter((each) => each !== model);
  const visionModels = draft.visionModels.filter((each) => each !== model);
  if (!inUse) return { ...draft, models, chatModels, visionModels };
  return {
    ...draft,
    models: [...models, model],
    chatModels: notForChat.test(model) ? chatModels : [...chatModels, model],
  };
}

export function withChat(draft: ProviderDraft, model: string, forChat: boolean): ProviderDraft {
  const chatModels = draft.chatModels.filter((each) => each !== model);
  return { ...draft, chatModels: forChat ? [...chatModels, model] : chatModels };
}

export function withVision(draft: ProviderDraft, model: string, sees: boolean): ProviderDraft {
  const visionModels = draft.visionModels.filter((each) => each !== model);
  return { ...draft, visionModels: sees ? [...visionModels, model] : visionModels };
}

const notForChat = /embed|rerank|whisper|tts|transcri|moderation|dall-e|image/i;

/** The name that goes before the models' own: `Acme AI (EU)` → `acme-ai-eu`. Empty where nothing can be made of it. */
export function providerNameOf(displayName: string): string {
  return displayName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);
}
