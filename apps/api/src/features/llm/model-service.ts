import { DomainError, type LlmModel } from '@docwright/contract';
import type { EndpointModelList } from './endpoint-model-list.ts';
import {
  defaultProviderName,
  isChatModel,
  offeredModels,
  partsOfModelId,
  type EndpointSees,
} from './offered-models.ts';
import type { ProviderRepository, StoredProvider } from './provider-repository.ts';

interface ModelServiceDependencies {
  /** The model of the settings, and the one to fall back to. */
  model: string;
  fallbackModel: string | undefined;
  endpointModels: Pick<EndpointModelList, 'ids' | 'notForChat'>;
  endpointSees: EndpointSees;
  providersOf: (organizationId: string) => Pick<ProviderRepository, 'list'>;
}

/** The models that one organization may use: those of the settings' endpoint, and those of its own providers. */
export interface ModelService {
  /** The default one first. While the endpoint does not list its models: those that the settings name. */
  list(options?: { chat_only?: boolean | undefined }): Promise<LlmModel[]>;
  /**
   * The id of the model to call: the one asked for, or the default. The bare name of a model of an own provider stands
   * for it while no other offers the same. `model_not_enabled` where it is not offered.
   */
  resolveModel(requested?: string): Promise<string>;
  /** Whether a model may be sent images: as its provider or the settings say. */
  canSee(model: string): Promise<boolean>;
}

export function createModelService(dependencies: ModelServiceDependencies): (organizationId: string) => ModelService {
  const { model: defaultModel, fallbackModel, endpointModels, endpointSees, providersOf } = dependencies;
  const configured = [defaultModel, ...(fallbackModel === undefined ? [] : [fallbackModel])];

  /** What the settings name is always offered; of the rest, what the organization has chosen. */
  async function endpointOffers(choice: StoredProvider | undefined): Promise<LlmModel[]> {
    const listed = (await endpointModels.ids()) ?? [];
    const notForChat = await endpointModels.notForChat();
    const enabled = choice?.litellm_models_enabled;
    const chat = choice?.litellm_models_chat_agent;
    const ids = new Set([...configured, ...listed.filter((id) => enabled?.includes(id) ?? true)]);
    return [...ids].map((id) => ({
      id,
      provider: defaultProviderName,
      chat_agent: configured.includes(id) || (chat?.includes(id) ?? isChatModel(id, notForChat)),
      default: id === defaultModel,
      ...(endpointSees(id, choice) && { vision: true as const }),
    }));
  }

  return (organizationId) => {
    async function offered(): Promise<LlmModel[]> {
      const providers = await providersOf(organizationId).list();
      const choice = providers.find(({ name }) => name === defaultProviderName);
      const own = providers.filter(({ name }) => name !== defaultProviderName).flatMap(offeredModels);
      // Where the endpoint's name for a model reads like one of ours, the settings come first, then the organization.
      const named = own.filter(({ id }) => !configured.includes(id));
      const taken = new Set(named.map(({ id }) => id));
      return [...(await endpointOffers(choice)).filter(({ id }) => !taken.has(id)), ...named];
    }

    return {
      async list({ chat_only } = {}) {
        const models = await offered();
        return chat_only === true ? models.filter((model) => model.chat_agent) : models;
      },
      async resolveModel(requested) {
        if (requested === undefined || configured.includes(requested)) return requested ?? defaultModel;
        const models = await offered();
        if (models.some(({ id }) => id === requested)) return requested;
        const [only, ...others] = models.filter(
          ({ id, provider }) => provider !== defaultProviderName && partsOfModelId(id)?.model === requested,
        );
        if (only && others.length === 0) return only.id;
        throw modelNotEnabled(requested, models);
      },
      async canSee(model) {
        return (await offered()).some(({ id, vision }) => id === model && vision === true);
      },
    };
  };
}

export function modelNotEnabled(requested: string, models: readonly Pick<LlmModel, 'id'>[]): DomainError {
  const ids = models.slice(0, 20).map(({ id }) => id);
  return new DomainError(
    'invalid',
    'model_not_enabled',
    `The model "${requested}" is not enabled. ${ids.length === 0 ? 'List the models and choose one.' : `Choose one of: ${ids.join(', ')}.`}`,
  );
}
