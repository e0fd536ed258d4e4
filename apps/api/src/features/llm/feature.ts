import type { LlmClient } from '@docwright/agent-core';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { ResolveHost } from '../../platform/network/host-guard.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { MeterCalls, RefuseKept } from '../usage/index.ts';
import { llmRoutes } from './llm-routes.ts';
import { createLlmServices } from './llm-services.ts';
import { measureLlmClient } from './measured-llm-client.ts';
import { providerRoutes } from './provider-routes.ts';

interface LlmNeeds {
  connection: Connection;
  appSecret: string;
  settings: Pick<Settings, 'llm'>;
  /** The configured model endpoint, or the demo model's. */
  llmEndpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  /** Replaces the endpoint's client, in tests. */
  llm?: LlmClient;
  /** Replaces the system's DNS resolver for URLs from users, in tests. */
  resolveHost?: ResolveHost;
  meter: MeterCalls;
  refuseKept: RefuseKept;
  metrics: Metrics;
  logger: FastifyBaseLogger;
}

/** The models of the operator and of each organization's providers. */
export const llmFeature = defineFeature({
  create: ({
    connection,
    appSecret,
    settings,
    llmEndpoint,
    llm,
    resolveHost,
    meter,
    refuseKept,
    metrics,
    logger,
  }: LlmNeeds) =>
    createLlmServices({
      connection,
      appSecret,
      endpoint: llmEndpoint,
      fallbackModel: settings.llm.fallbackModel,
      vision: settings.llm.baseUrl === undefined ? 'false' : settings.llm.vision,
      allowedHosts: settings.llm.allowedHosts,
      resolveHost,
      llm,
      meter,
      refuseKept,
      isInProcess: settings.llm.baseUrl === undefined,
      measure: (client, label) => measureLlmClient(client, metrics, label),
      log: logger,
    }),
  async routes(app, services) {
    await app.register(llmRoutes, { services });
    await app.register(providerRoutes, { services });
  },
});
