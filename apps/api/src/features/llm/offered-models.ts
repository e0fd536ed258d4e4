import type { LlmModel, ReasoningLevel } from '@docwright/contract';
import type { Vision } from '../../platform/settings/settings.ts';
import type { StoredProvider } from './provider-repository.ts';

/** Model families that are not for chat, if the endpoint does not report purposes. */
const familiesNotForChat = /embed|rerank|whisper|tts|transcri|moderation|dall-e|image|stable-diffusion|flux/i;

/** @param notForChat models that are for other work, according to the endpoint. */
export function isChatModel(model: string, notForChat: readonly string[] = []): boolean {
  return !familiesNotForChat.test(model) && !notForChat.includes(model);
}

/** The id of an own provider's model, `provider/model`: two providers might offer the same model. */
export function modelIdOf(provider: string, model: string): string {
  return `${provider}/${model}`;
}

/** The provider and model of an id in this form; the provider might not exist. */
export function partsOfModelId(id: string): { provider: string; model: string } | undefined {
  const slash = id.indexOf('/');
  return slash < 1 ? undefined : { provider: id.slice(0, slash), model: id.slice(slash + 1) };
}

/** The enabled models that are offered for chat: the chosen ones, else all that look like chat models. */
export function chatModelsOf({
  litellm_models_enabled,
  litellm_models_chat_agent,
  models_not_for_chat,
}: Pick<StoredProvider, 'litellm_models_enabled' | 'litellm_models_chat_agent' | 'models_not_for_chat'>): string[] {
  const enabled = litellm_models_enabled ?? [];
  return enabled.filter(
    (model) => litellm_models_chat_agent?.includes(model) ?? isChatModel(model, models_not_for_chat),
  );
}

/** The models of an organization's own provider; none while it is disabled. */
export function offeredModels(provider: StoredProvider): LlmModel[] {
  if (!provider.enabled) return [];
  const chat = new Set(chatModelsOf(provider));
  const vision = new Set((provider.litellm_models_vision ?? []).filter((model) => !refusesImages(provider, model)));
  return (provider.litellm_models_enabled ?? []).map((model) => ({
    id: modelIdOf(provider.name, model),
    provider: provider.name,
    chat_agent: chat.has(model),
    default: false,
    ...(vision.has(model) && { vision: true as const }),
    ...reasoningField(provider, model),
  }));
}

/** Whether the endpoint has refused images for the model. */
function refusesImages({ dialect = [] }: Pick<StoredProvider, 'dialect'>, model: string): boolean {
  return dialect.some((entry) => entry.model === model && entry.refused === 'images');
}

/** How much a model of a provider thinks, if an admin has set it. */
export function reasoningField(
  provider: Pick<StoredProvider, 'models_reasoning'> | undefined,
  model: string,
): { reasoning?: ReasoningLevel } {
  const level = provider?.models_reasoning?.find((entry) => entry.model === model)?.reasoning;
  return level === undefined ? {} : { reasoning: level };
}

/** Whether a model of the configured endpoint accepts images, given the organization's choice of its models. */
export type EndpointAcceptsImages = (
  model: string,
  choice: Pick<StoredProvider, 'litellm_models_vision' | 'dialect'> | undefined,
) => boolean;

interface EndpointVision {
  acceptsImages: EndpointAcceptsImages;
  /** Records that the endpoint has refused images for the model; with `auto` it gets none from then on. */
  recordRefusal(model: string): void;
}

/**
 * `LLM_VISION` applies to all models, an admin's list to its models. Refusals are remembered until the server restarts.
 */
export function createEndpointVision(setting: Vision): EndpointVision {
  const refused = new Set<string>();
  return {
    acceptsImages(model, choice) {
      if (choice !== undefined && refusesImages(choice, model)) return false;
      if (choice?.litellm_models_vision?.includes(model) === true) return true;
      return setting === 'true' || (setting === 'auto' && !refused.has(model));
    },
    recordRefusal: (model) => void refused.add(model),
  };
}
