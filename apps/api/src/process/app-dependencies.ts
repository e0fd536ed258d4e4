import type { LlmClient } from '@docwright/agent-core';
import type { JWT } from '@fastify/jwt';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import type { WorkerLimits } from '../features/headless/headless-worker.ts';
import type { StreamLimits } from '../features/stream-admission/stream-admission.ts';
import type { TurnLimits } from '../features/turn-admission/turn-limits.ts';
import type { Readiness } from '../platform/http/readiness.ts';
import type { JobQueue } from '../platform/jobs/job-queue.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { ResolveHost } from '../platform/network/host-guard.ts';
import type { Settings } from '../platform/settings/settings.ts';

/** What a process gives the application. */
export interface AppDependencies {
  settings: Settings;
  /** The resolved APP_SECRET. Derive a key for each purpose with `deriveKey`. */
  appSecret: string;
  connection: Connection;
  /** The settings' model endpoint, or the demo model's. */
  llmEndpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  /** Takes the place of the endpoint's client, in tests. */
  llm?: LlmClient;
  /** Takes the place of the system's resolver for addresses that users name, in tests. */
  resolveHost?: ResolveHost;
  /** How much work without a caller is done at once, and when a worker counts as dead; in tests. */
  workerLimits?: WorkerLimits;
  logger: FastifyBaseLogger;
  readiness: Readiness;
  /** The built web app; without it the API alone is served. */
  webRoot?: string;
  /** False for a worker, which answers for its health alone. */
  servesApi?: boolean;
  /** Requests a minute from one address, and among them registrations or logins. */
  requestsPerMinute?: number;
  signInsPerMinute?: number;
  /** Of chats, for each person and organization. */
  turnLimits?: TurnLimits;
  /** Of responses that stay open, for each person and organization. */
  streamLimits?: StreamLimits;
  /** Milliseconds after which a download that nobody reads ends. */
  downloadStallMs?: number;
}

/** What the first feature finds; the others also find what the features before them offer. */
export interface Base extends AppDependencies {
  metrics: Metrics;
  jobs: JobQueue;
  jwt: JWT;
  app: FastifyInstance;
  /** Aborts when the server begins to stop. */
  closing: AbortSignal;
}
