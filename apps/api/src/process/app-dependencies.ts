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

/** The parts that a process provides to the application. */
export interface AppDependencies {
  settings: Settings;
  /** The resolved APP_SECRET. Derive a key for each purpose with `deriveKey`. */
  appSecret: string;
  connection: Connection;
  /** The configured model endpoint, or the demo model's. */
  llmEndpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  /** Replaces the endpoint's client, in tests. */
  llm?: LlmClient;
  /** Replaces the system's DNS resolver for URLs from users, in tests. */
  resolveHost?: ResolveHost;
  /** Concurrency and timeouts of headless workers; in tests. */
  workerLimits?: WorkerLimits;
  logger: FastifyBaseLogger;
  readiness: Readiness;
  /** The built web app; without it, only the API is served. */
  webRoot?: string;
  /** False for a worker, which serves only health and metrics. */
  servesApi?: boolean;
  /** The number of processes that serve the API. Each grants its share of a limit. */
  apiProcesses: () => number;
  /** The number of processes that run jobs; one by default. */
  workerProcesses?: () => number;
  /** Whether no process has started or ended for a while; by default, one always may have. */
  isQuiet?: () => boolean;
  /** Request limits per minute and address: all requests, and registrations and logins. */
  requestsPerMinute?: number;
  signInsPerMinute?: number;
  /** Limits of chats, per user and organization. */
  turnLimits?: TurnLimits;
  /** Limits of open streams, per user and organization. */
  streamLimits?: StreamLimits;
  /** Milliseconds after which a stalled download is closed. */
  downloadStallMs?: number;
  /** How long a turn waits for the text of a document that is being read, in milliseconds. */
  readingWaitMs?: number;
}

/** The dependencies of the first feature; later ones also get the offers of earlier features. */
export interface Base extends AppDependencies {
  metrics: Metrics;
  jobs: JobQueue;
  jwt: JWT;
  app: FastifyInstance;
  /** Aborts when the server starts to stop. */
  closing: AbortSignal;
}
