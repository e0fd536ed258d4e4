import type { JWT } from '@fastify/jwt';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { openDatabase } from './db/connection.ts';
import { createDocumentServices } from './documents/document-services.ts';
import { createIdentityServices } from './identity/identity-services.ts';
import { createJobQueue } from './jobs/job-queue.ts';
import { readTextsJobName } from './jobs/read-texts-job.ts';
import type { Settings } from './settings/settings.ts';

/** What the areas are built from. */
export interface ServiceDependencies {
  settings: Settings;
  /** The resolved APP_SECRET. Derive a key for each purpose with `deriveKey`. */
  appSecret: string;
  connection: Connection;
  /** The settings' model endpoint, or the demo model's. */
  llmEndpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  logger: FastifyBaseLogger;
  jwt: JWT;
}

export type Services = ReturnType<typeof createServices>;

/** Composition of every area's services, one line an area; routes and jobs get theirs from here. */
export function createServices({ settings, appSecret, connection, logger, jwt }: ServiceDependencies) {
  const identity = createIdentityServices({ connection, jwt, appSecret, allowSignup: settings.allowSignup });
  const jobs = createJobQueue({ database: () => openDatabase(connection), log: logger });
  const documents = createDocumentServices({
    connection,
    maxUploadBytes: settings.maxUploadBytes,
    checkTags: async () => undefined,
    onDelete: [],
    wakeTextReader: () => jobs.wake(readTextsJobName),
    log: logger,
  });
  return { identity, jobs, documents };
}
