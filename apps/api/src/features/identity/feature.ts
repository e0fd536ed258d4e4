import type { JWT } from '@fastify/jwt';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { authentication } from './authentication.ts';
import { identityRoutes } from './identity-routes.ts';
import { createIdentityServices } from './identity-services.ts';

interface IdentityNeeds {
  connection: Connection;
  jwt: JWT;
  appSecret: string;
  logger: FastifyBaseLogger;
  settings: Pick<Settings, 'allowSignup' | 'host'>;
  signInsPerMinute?: number;
}

/** Accounts and authentication. Once it is registered, every route is closed unless declared public. */
export const identityFeature = defineFeature({
  create: ({ connection, jwt, appSecret, logger, settings }: IdentityNeeds) => ({
    identity: createIdentityServices({ connection, jwt, appSecret, allowSignup: settings.allowSignup, log: logger }),
  }),
  async routes(app, { identity, settings, signInsPerMinute }) {
    await app.register(authentication, { authenticationService: identity.authentication });
    await app.register(identityRoutes, {
      services: identity,
      host: settings.host,
      ...(signInsPerMinute !== undefined && { signInsPerMinute }),
    });
  },
});
