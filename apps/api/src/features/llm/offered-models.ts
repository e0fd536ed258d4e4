import type { LlmModel } from '@docwright/contract';
import type { Vision } from '../../platform/settings/settings.ts';
import type { StoredProvider } from './provider-repository.ts';

/** The settings' endpoint, as a provider. */
export const defaultProviderName = 'default';

/** Families that an endpoint lists beside its chat models, where it does not say what they are for. */
const familiesNotForChat = /embed|rerank|whisper|tts|transcri|moderation|dall-e|image|stable-diffusion|flux/i;

/** `saidNotToBe`: what the endpoint itself keeps for other work. */
export function isChatModel(model: string, saidNotToBe: readonly string[] = []): boolean {
  return !familiesNotForChat.test(model) && !saidNotToBe.includes(model);
}

/** A model of an organization's own provider goes by `provider/model`: two providers may offer the same. */
export function modelIdOf(provider: string, model: string): string {
  return `${provider}/${model}`;
}

/** The provider and its own name of a model, where the id has this form; the provider need not exist. */
export function partsOfModelId(id: string): { provider: string; model: string } | undefined {
  const slash = id.indexOf('/');
  return slash < 1 ? undefined : { provider: id.slice(0, slash), model: id.slice(slash + 1) };
}

/** Those of the enabled models that are offered for chat: as chosen, else all that look like it. */
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

/** What an organization's own provider offers: nothing while it is not enabled. */
export function offeredModels(provider: StoredProvider): LlmModel[] {
  if (!provider.enabled) return [];
  const chat = new Set(chatModelsOf(provider));
  const vision = new Set(provider.litellm_models_vision ?? []);
  return (provider.litellm_models_enabled ?? []).map((model) => ({
    id: modelIdOf(provider.name, model),
    provider: provider.name,
    chat_agent: chat.has(model),
    default: false,
    ...(vision.has(model) && { vision: true as const }),
  }));
}

/** Whether a model of the settings' endpoint may be sent images, for an organization with this choice of its models. */
export type EndpointSees = (
  model: string,
  choice: Pick<StoredProvider, 'litellm_models_vision'> | undefined,
) => boolean;

interface EndpointVision {
  sees: EndpointSees;
  /** The endpoint has refused images for the model: with `auto` it is sent none from then on. */
  noteRefusal(model: string): void;
}

/** `LLM_VISION` decides for all models, what an admin has listed for those named. What was refused is remembered until the server ends. */
export function createEndpointVision(setting: Vision): EndpointVision {
  const refused = new Set<string>();
  return {
    sees(model, choice) {
      if (choice?.litellm_models_vision?.includes(model) === true) return true;
      return setting === 'true' || (setting === 'auto' && !refused.has(model));
    },
    noteRefusal: (model) => void refused.add(model),
  };
}
