import type { JWT } from '@fastify/jwt';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { createIdentityServices } from './identity/identity-services.ts';
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
export function createServices({ settings, appSecret, connection, jwt }: ServiceDependencies) {
  const identity = createIdentityServices({ connection, jwt, appSecret, allowSignup: settings.allowSignup });
  return { identity };
}
