import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { StreamLimits } from '../features/stream-admission/stream-admission.ts';
import type { TurnLimits } from '../features/turn-admission/turn-limits.ts';
import type { Readiness } from '../platform/http/readiness.ts';
import type { ServiceDependencies, Services } from './services.ts';

export interface AppDependencies extends Omit<ServiceDependencies, 'jwt' | 'metrics'> {
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

/** Builds the server without listening: `app.ts`, which is loaded while the database starts. */
export type LoadApp = () => Promise<{
  buildApp: (dependencies: AppDependencies) => Promise<{ app: FastifyInstance; services: Services }>;
}>;
