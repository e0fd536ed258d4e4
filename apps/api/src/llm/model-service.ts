import { DomainError, type LlmModel } from '@docwright/contract';
import { fetchEndpointModels, type ModelEndpoint } from './endpoint-models.ts';

export interface ModelServiceDependencies {
  endpoint: ModelEndpoint & { model: string };
  fallbackModel: string | undefined;
  fetchModels?: (endpoint: ModelEndpoint) => Promise<string[] | undefined>;
  now?: () => number;
}

/** The models that the settings' endpoint offers. */
export interface ModelService {
  /** The default one first. While the endpoint does not list its models: those that the settings name. */
  list(options?: { chat_only?: boolean | undefined }): Promise<LlmModel[]>;
  /** The model to call: the one asked for, or the default. `model_not_enabled` where it is not offered. */
  resolveModel(requested?: string): Promise<string>;
}

const freshMs = 60_000;
/** An endpoint that was away is asked again soon, but not by every request. */
const awayMs = 5_000;
/** Families that an endpoint lists beside its chat models. */
const notForChat = /embed|rerank|whisper|tts|transcri|moderation|dall-e|image|stable-diffusion|flux/i;

export function createModelService(dependencies: ModelServiceDependencies): ModelService {
  const { endpoint, fallbackModel, fetchModels = fetchEndpointModels, now = Date.now } = dependencies;
  const configured = [endpoint.model, ...(fallbackModel === undefined ? [] : [fallbackModel])];
  let listed: { ids: Promise<string[] | undefined>; until: number } | undefined;

  async function offered(): Promise<string[]> {
    if (!listed || listed.until <= now()) {
      const asked = { ids: fetchModels(endpoint), until: now() + freshMs };
      listed = asked;
      if ((await asked.ids) === undefined) asked.until = now() + awayMs;
    }
    return [...new Set([...configured, ...((await listed.ids) ?? [])])];
  }

  return {
    async list({ chat_only } = {}) {
      const models = (await offered()).map((id) => ({
        id,
        provider: 'default',
        chat_agent: configured.includes(id) || !notForChat.test(id),
        default: id === endpoint.model,
      }));
      return chat_only === true ? models.filter((model) => model.chat_agent) : models;
    },
    async resolveModel(requested) {
      if (requested === undefined || configured.includes(requested)) return requested ?? endpoint.model;
      const models = await offered();
      if (models.includes(requested)) return requested;
      throw new DomainError(
        'invalid',
        'model_not_enabled',
        `The model "${requested}" is not enabled. Choose one of: ${models.slice(0, 20).join(', ')}.`,
      );
    },
  };
}
