import { createOpenAiLlmClient, type LlmClient, type LlmRequest } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { Actor } from '../identity/index.ts';
import { createGuardedFetch } from '../../platform/network/guarded-fetch.ts';
import { createHostGuard, type ResolveHost } from '../../platform/network/host-guard.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import type { Vision } from '../../platform/settings/settings.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import type { IsLocal, MeterCalls, ModelCaller, RefuseKept } from '../usage/index.ts';
import { createEndpointModelList } from './endpoint/endpoint-model-list.ts';
import { createFallbackLlmClient } from './fallback-llm-client.ts';
import { createModelRouter, type ModelRoute } from './model-router.ts';
import { createModelService, type ModelService } from './model-service.ts';
import { createEndpointChoice, type EndpointChoice, type NamedEndpoint } from './named-endpoint.ts';
import { createEndpointVision } from './offered-models.ts';
import { defaultProviderName } from './provider-model.ts';
import { createProviderRepositories } from './provider-repository.ts';
import { createProviderService, type ProviderService } from './provider-service.ts';
import { createTokenVault } from './provider-token.ts';

export interface LlmServices {
  /** The client of all model calls in a caller's name: routed, checked against the budget and charged. */
  llmFor: LlmFor;
  /** A model of an endpoint that a caller names, checked against the budget and charged as well. */
  llmAt: LlmAt;
  /** Whether documents that no model may see can go to the configured endpoint. */
  isEndpointLocal: (organizationId: string) => Promise<boolean>;
  models: (organizationId: string) => ModelService;
  providers: (actor: Actor) => ProviderService;
}

/** See `createEndpointChoice` for the allowed endpoints. */
export type LlmAt = (caller: ModelCaller, named: NamedEndpoint) => Promise<EndpointChoice>;

export type LlmFor = (caller: ModelCaller) => MeteredLlm;

/** A client whose calls are checked and charged. */
interface MeteredLlm extends LlmClient {
  /** Throws `never_to_model` before any work if this model may not see the caller's document. Each call checks it too. */
  requireAllowed?(model: string): Promise<void>;
}

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
  refuseKept: RefuseKept;
  /** Whether the endpoint is the demo model of this process. */
  isInProcess: boolean;
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
    log,
  });
  const warn = (failed: { model: string; code: string }) =>
    log.warn({ ...failed, fallback: fallbackModel }, 'a model failed before its first token; using the fallback');

  const chooseEndpoint = createEndpointChoice({ endpoint, providersOf, guard, guardedFetch });

  const meteredClient = (client: LlmClient, caller: ModelCaller, isLocal: IsLocal, label?: string) =>
    meter(measure(logFailedCalls(client, log, caller.organizationId), label), caller, isLocal);

  const isEndpointLocal = async (organizationId: string): Promise<boolean> =>
    dependencies.isInProcess || (await providersOf(organizationId).get(defaultProviderName))?.is_local === true;

  const isLocalIn =
    ({ organizationId }: ModelCaller, routed: Promise<ModelRoute>): IsLocal =>
    async () =>
      (await routed).isLocal ?? (await isEndpointLocal(organizationId));

  const models = createModelService({
    model,
    fallbackModel,
    endpointModels,
    endpointAcceptsImages: vision.acceptsImages,
    providersOf,
  });

  return {
    isEndpointLocal,
    llmFor: (caller) => ({
      async requireAllowed(model) {
        const routed = route(caller.organizationId, model);
        const labels = caller.documentId === undefined ? [] : [caller.documentId];
        await Promise.all([
          routed,
          dependencies.refuseKept(caller.organizationId, () => labels, isLocalIn(caller, routed)),
        ]);
      },
      async *stream(request) {
        // The route is read together with what the meter asks.
        const routed = route(caller.organizationId, request.model);
        routed.catch(() => undefined);
        const client = {
          stream: async function* (request: LlmRequest) {
            yield* (await routed).client.stream(request);
          },
        };
        const metered = meteredClient(client, caller, isLocalIn(caller, routed));
        const withFallback =
          fallbackModel !== undefined && (await routed).isDefault
            ? createFallbackLlmClient(metered, fallbackModel, warn)
            : metered;
        yield* withFallback.stream(request);
      },
    }),
    llmAt: async (caller, named) => {
      const choice = await chooseEndpoint(caller.organizationId, named);
      return 'client' in choice
        ? { ...choice, client: meteredClient(choice.client, caller, () => false, 'named by a caller') }
        : choice;
    },
    models,
    providers: createProviderService({
      providersOf,
      endpoint,
      fallbackModel,
      isInProcess: dependencies.isInProcess,
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

/** Logs the cause of a failed call: the error for users says what to do, not what the provider answered. */
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
