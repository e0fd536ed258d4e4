import type { LlmClient } from '@docwright/agent-core';
import type { SchemaChatSettings } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { LlmAt, LlmFor, ModelService } from '../llm/index.ts';

interface ModelSources {
  models: (organizationId: string) => Pick<ModelService, 'resolveModel'>;
  llmFor: LlmFor;
  llmAt: LlmAt;
}

/**
 * Chooses the model of a request: at the endpoint that it names, else a model of the organization, by default the default
 * model. Both are charged to the organization. Throws `model_not_enabled`, `endpoint_refused`, `model_required`.
 */
export async function chooseDesignModel(
  { models, llmFor, llmAt }: ModelSources,
  { organizationId, userId }: Actor,
  { endpoint, apiKey, modelName, model: alias }: SchemaChatSettings,
): Promise<{ llm: LlmClient; model: string }> {
  const caller = { organizationId, userId };
  const model = textOrUndefined(modelName) ?? textOrUndefined(alias);
  const address = textOrUndefined(endpoint);
  const choice =
    address === undefined
      ? { offered: model }
      : await llmAt(caller, { endpoint: address, apiKey: textOrUndefined(apiKey), model });
  if ('client' in choice) return { llm: choice.client, model: choice.model };
  return { llm: llmFor(caller), model: await models(organizationId).resolveModel(choice.offered) };
}

function textOrUndefined(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
