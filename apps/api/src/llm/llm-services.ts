import { createOpenAiLlmClient, type LlmClient } from '@docwright/agent-core';
import { createFallbackLlmClient } from './fallback-llm-client.ts';
import { createModelService, type ModelService } from './model-service.ts';

export interface LlmServices {
  llm: LlmClient;
  models: ModelService;
}

/** The operator's model endpoint, or the demo model's: how it is called and which models it offers. */
export function createLlmServices(dependencies: {
  endpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  fallbackModel: string | undefined;
  /** Takes the place of the endpoint's client. */
  llm?: LlmClient | undefined;
  log: { warn(fields: object, message: string): void };
}): LlmServices {
  const { endpoint, fallbackModel, log } = dependencies;
  const { baseUrl, apiKey } = endpoint;
  const first = dependencies.llm ?? createOpenAiLlmClient({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) });
  const llm =
    fallbackModel === undefined
      ? first
      : createFallbackLlmClient(first, fallbackModel, (failed) =>
          log.warn(
            { ...failed, fallback: fallbackModel },
            'a model failed before its first token; asking the fallback',
          ),
        );
  return { llm, models: createModelService({ endpoint, fallbackModel }) };
}
