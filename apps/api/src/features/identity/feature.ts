import type { JWT } from '@fastify/jwt';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { authentication } from './authentication/authentication.ts';
import { createIdentityServices } from './identity-services.ts';
import { accessTokenRoutes } from './access-tokens/access-token-routes.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { memberRoutes } from './organizations/member-routes.ts';
import { organizationRoutes } from './organizations/organization-routes.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { authRoutes } from './sign-in/auth-routes.ts';

interface IdentityNeeds {
  connection: Connection;
  jwt: JWT;
  appSecret: string;
  logger: FastifyBaseLogger;
  settings: Pick<Settings, 'allowSignup' | 'host' | 'publicUrl'>;
  signInsPerMinute?: number;
}

/** Accounts and authentication. Once it is registered, every route is closed unless declared public. */
export const identityFeature = defineFeature({
  create: ({ connection, jwt, appSecret, logger, settings }: IdentityNeeds) => ({
    identity: createIdentityServices({ connection, jwt, appSecret, allowSignup: settings.allowSignup, log: logger }),
  }),
  async routes(app, { identity, settings, signInsPerMinute }) {
    await app.register(authentication, {
      authenticationService: identity.authentication,
      publicUrl: settings.publicUrl,
    });
    const options = {
      services: identity,
      host: settings.host,
      publicUrl: settings.publicUrl,
      ...(signInsPerMinute !== undefined && { signInsPerMinute }),
    };
    await app.register(authRoutes, options);
    await app.register(secondFactorRoutes, options);
    await app.register(organizationRoutes, options);
    await app.register(memberRoutes, options);
    await app.register(accessTokenRoutes, options);
    await app.register(oauthRoutes, options);
  },
});
