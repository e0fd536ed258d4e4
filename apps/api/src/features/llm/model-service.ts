import { DomainError, type LlmModel } from '@docwright/contract';
import type { EndpointModelList } from './endpoint/endpoint-model-list.ts';
import {
  isChatModel,
  offeredModels,
  partsOfModelId,
  reasoningField,
  type EndpointAcceptsImages,
} from './offered-models.ts';
import { defaultProviderName } from './provider-model.ts';
import type { ProviderRepository, StoredProvider } from './provider-repository.ts';

interface ModelServiceDependencies {
  /** The configured model and its fallback. */
  model: string;
  fallbackModel: string | undefined;
  endpointModels: Pick<EndpointModelList, 'ids' | 'notForChat'>;
  endpointAcceptsImages: EndpointAcceptsImages;
  providersOf: (organizationId: string) => Pick<ProviderRepository, 'list'>;
}

/** The models available to an organization: those of the configured endpoint and of its own providers. */
export type ModelService = ReturnType<ReturnType<typeof createModelService>>;

export function createModelService(dependencies: ModelServiceDependencies) {
  const { model: defaultModel, fallbackModel, endpointModels, endpointAcceptsImages, providersOf } = dependencies;
  const configured = [defaultModel, ...(fallbackModel === undefined ? [] : [fallbackModel])];

  /** Configured models are always offered; of the others, the organization's choice. */
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
      ...(endpointAcceptsImages(id, choice) && { vision: true as const }),
      ...reasoningField(choice, id),
    }));
  }

  return (organizationId: string) => {
    async function offered(): Promise<LlmModel[]> {
      const providers = await providersOf(organizationId).list();
      const choice = providers.find(({ name }) => name === defaultProviderName);
      const own = providers.filter(({ name }) => name !== defaultProviderName).flatMap(offeredModels);
      // If the endpoint's name for a model looks like one of ours, the settings take precedence, then the organization.
      const named = own.filter(({ id }) => !configured.includes(id));
      const taken = new Set(named.map(({ id }) => id));
      return [...(await endpointOffers(choice)).filter(({ id }) => !taken.has(id)), ...named];
    }

    return {
      /** The default first. While the endpoint does not list its models, the configured ones. */
      async list({ chat_only }: { chat_only?: boolean | undefined } = {}): Promise<LlmModel[]> {
        const models = await offered();
        return chat_only === true ? models.filter((model) => model.chat_agent) : models;
      },
      /**
       * The id of the model to call: the requested one or the default. A bare name of an own provider's model is accepted
       * while it is unambiguous. Throws `model_not_enabled`.
       */
      async resolveModel(requested?: string): Promise<string> {
        if (requested === undefined || configured.includes(requested)) return requested ?? defaultModel;
        const models = await offered();
        if (models.some(({ id }) => id === requested)) return requested;
        const [only, ...others] = models.filter(
          ({ id, provider }) => provider !== defaultProviderName && partsOfModelId(id)?.model === requested,
        );
        if (only && others.length === 0) return only.id;
        throw modelNotEnabled(requested, models);
      },
      /** Whether a model accepts images, according to its provider or the settings. */
      async acceptsImages(model: string): Promise<boolean> {
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
