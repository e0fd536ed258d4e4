import type { LlmProvider, ProviderKind, PutLlmProviderBody, ReasoningLevel } from '@docwright/contract';

/** The form of a provider. */
export interface ProviderDraft {
  displayName: string;
  baseUrl: string;
  /** `guessed`: detected from the address and the models. */
  kind: ProviderKind | 'guessed';
  /** Empty to keep the stored one. */
  token: string;
  removesToken: boolean;
  enabled: boolean;
  /** Whether documents that are kept from models may go to it. */
  isLocal: boolean;
  /** Models in use. */
  models: string[];
  /** Models in use that are offered for chat. */
  chatModels: string[];
  /** Models in use that see images. */
  visionModels: string[];
  /** How much models think, by model; others think as their endpoint decides. */
  reasoning: Record<string, ReasoningLevel>;
  /** Models whose refusals are forgotten. */
  forgotten: string[];
}

/** Whether a provider is the endpoint of the server's settings, whose address and token cannot be changed here. */
export const isServerEndpoint = (name: string | undefined) => name === 'default';

export function draftOf(provider: LlmProvider | undefined): ProviderDraft {
  return {
    displayName: provider?.display_name ?? '',
    baseUrl: provider?.base_url ?? '',
    kind: provider?.kind ?? 'guessed',
    token: '',
    removesToken: false,
    enabled: provider?.enabled ?? true,
    isLocal: provider?.is_local ?? false,
    models: provider?.litellm_models_enabled ?? [],
    chatModels: provider?.litellm_models_chat_agent ?? [],
    visionModels: provider?.litellm_models_vision ?? [],
    reasoning: provider?.reasoning ?? {},
    forgotten: [],
  };
}

/** The request body with the changed fields. */
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
    ...(draft.isLocal === before.isLocal && !(draft.isLocal && baseUrl !== before.baseUrl)
      ? {}
      : { is_local: draft.isLocal }),
    ...(same(draft.models, before.models) ? {} : { litellm_models_enabled: draft.models }),
    ...(same(draft.chatModels, before.chatModels) ? {} : { litellm_models_chat_agent: draft.chatModels }),
    ...(same(draft.visionModels, before.visionModels) ? {} : { litellm_models_vision: draft.visionModels }),
    ...(sameLevels(draft.reasoning, before.reasoning) ? {} : { reasoning: draft.reasoning }),
    ...(draft.forgotten.length === 0
      ? {}
      : { dialect: (provider?.dialect ?? []).filter(({ model }) => !draft.forgotten.includes(model)) }),
  };
}

const same = (one: string[], other: string[]) =>
  one.length === other.length && one.every((model) => other.includes(model));

const sameLevels = (one: ProviderDraft['reasoning'], other: ProviderDraft['reasoning']) =>
  same(Object.entries(one).map(String), Object.entries(other).map(String));

/** Sets how much a model thinks; undefined: as its endpoint decides. */
export function withReasoning(draft: ProviderDraft, model: string, level: ReasoningLevel | undefined): ProviderDraft {
  const { [model]: _before, ...others } = draft.reasoning;
  return { ...draft, reasoning: level === undefined ? others : { ...others, [model]: level } };
}

/** Adds a model or removes it; an added one is offered for chat unless its name rules that out. */
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

/** The prefix of the provider's model names: `Acme AI (EU)` → `acme-ai-eu`; empty without Latin letters or digits. */
export function providerNameOf(displayName: string): string {
  return displayName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);
}
