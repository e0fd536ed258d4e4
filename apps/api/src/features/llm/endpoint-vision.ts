import type { Vision } from '../../platform/settings/settings.ts';
import type { StoredProvider } from './provider-repository.ts';

/** Whether a model of the settings' endpoint may be sent images, for an organization with this choice of its models. */
export type EndpointSees = (
  model: string,
  choice: Pick<StoredProvider, 'litellm_models_vision'> | undefined,
) => boolean;

export interface EndpointVision {
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
