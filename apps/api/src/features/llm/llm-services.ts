import { createOpenAiLlmClient, type LlmClient } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { Actor } from '../identity/index.ts';
import { createGuardedFetch } from '../../platform/network/guarded-fetch.ts';
import { createHostGuard, type ResolveHost } from '../../platform/network/host-guard.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import type { Vision } from '../../platform/settings/settings.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import type { MeterCalls, ModelCaller } from '../usage/index.ts';
import { createEndpointModelList } from './endpoint-model-list.ts';
import { createFallbackLlmClient } from './fallback-llm-client.ts';
import { createModelRouter } from './model-router.ts';
import { createModelService, type ModelService } from './model-service.ts';
import { createEndpointChoice, type EndpointChoice, type NamedEndpoint } from './named-endpoint.ts';
import { createEndpointVision } from './offered-models.ts';
import { createProviderRepositories } from './provider-repository.ts';
import { createProviderService, type ProviderService } from './provider-service.ts';
import { createTokenVault } from './provider-token.ts';

export interface LlmServices {
  /** The client of all model calls in a caller's name: routed, checked against the budget and charged. */
  llmFor: LlmFor;
  /** A model of an endpoint that a caller names, checked against the budget and charged as well. */
  llmAt: LlmAt;
  models: (organizationId: string) => ModelService;
  providers: (actor: Actor) => ProviderService;
}

/** See `createEndpointChoice` for the allowed endpoints. */
export type LlmAt = (caller: ModelCaller, named: NamedEndpoint) => Promise<EndpointChoice>;

export type LlmFor = (caller: ModelCaller) => LlmClient;

interface LlmDependencies {
  connection: Connection;
  appSecret: string;
  /** The operator's model endpoint, or the demo model's. */
  endpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  fallbackModel: string | undefined;
  /** Whether the models of the operator's endpoint accept images. */
  vision: Vision;
  allowedHosts: readonly string[];
  /** Replaces the system's DNS resolver. */
  resolveHost?: ResolveHost | undefined;
  /** Replaces the endpoint's client. */
  llm?: LlmClient | undefined;
  meter: MeterCalls;
  /** Measures the calls of a client. */
  measure: (client: LlmClient, label?: string) => LlmClient;
  log: { warn(fields: object, message: string): void };
}

/** Composes the models of the configured endpoint and of each organization's providers, and their clients. */
export function createLlmServices(dependencies: LlmDependencies): LlmServices {
  const { endpoint, fallbackModel, log, meter, measure } = dependencies;
  const { baseUrl, apiKey, model } = endpoint;
  const guard = createHostGuard(dependencies.allowedHosts, dependencies.resolveHost);
  const guardedFetch = createGuardedFetch(guard);
  const vault = createTokenVault(deriveKey(dependencies.appSecret, 'llm-provider-tokens'));
  const providersOf = createProviderRepositories(dependencies.connection);
  const endpointModels = createEndpointModelList(endpoint);
  const vision = createEndpointVision(dependencies.vision);
  const route = createModelRouter({
    endpointClient:
      dependencies.llm ??
      createOpenAiLlmClient({
        baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
        probesImages: dependencies.vision === 'auto',
        onImagesRefused: (refusing) => vision.recordRefusal(refusing),
      }),
    configuredModels: [model, ...(fallbackModel === undefined ? [] : [fallbackModel])],
    endpointModels,
    providersOf,
    vault,
    guardedFetch,
  });
  const warn = (failed: { model: string; code: string }) =>
    log.warn({ ...failed, fallback: fallbackModel }, 'a model failed before its first token; using the fallback');

  const chooseEndpoint = createEndpointChoice({ endpoint, providersOf, guard, guardedFetch });

  const meteredClient = (client: LlmClient, caller: ModelCaller, label?: string) =>
    meter(measure(logFailedCalls(client, log, caller.organizationId), label), caller);

  const models = createModelService({
    model,
    fallbackModel,
    endpointModels,
    endpointAcceptsImages: vision.acceptsImages,
    providersOf,
  });

  return {
    llmFor: (caller) => ({
      async *stream(request) {
        const { client, isDefault } = await route(caller.organizationId, request.model);
        const metered = meteredClient(client, caller);
        const withFallback =
          isDefault && fallbackModel !== undefined ? createFallbackLlmClient(metered, fallbackModel, warn) : metered;
        yield* withFallback.stream(request);
      },
    }),
    llmAt: async (caller, named) => {
      const choice = await chooseEndpoint(caller.organizationId, named);
      return 'client' in choice
        ? { ...choice, client: meteredClient(choice.client, caller, 'named by a caller') }
        : choice;
    },
    models,
    providers: createProviderService({
      providersOf,
      endpoint,
      fallbackModel,
      endpointModels,
      endpointAcceptsImages: vision.acceptsImages,
      guard,
      guardedFetch,
      vault,
      modelsOf: models,
      promptsOf: createPromptRepositories(dependencies.connection),
    }),
  };
}

/** Logs the cause of a failed call: users are told what to do about it, not what the provider answered. */
function logFailedCalls(
  client: LlmClient,
  log: { warn(fields: object, message: string): void },
  organizationId: string,
): LlmClient {
  return {
    async *stream(request) {
      try {
        yield* client.stream(request);
      } catch (error) {
        if (request.signal?.aborted !== true) {
          log.warn({ err: error, model: request.model, organization_id: organizationId }, 'a model call failed');
        }
        throw error;
      }
    },
  };
}
