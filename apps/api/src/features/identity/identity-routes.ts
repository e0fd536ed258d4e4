import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { accessTokenRoutes } from './access-tokens/access-token-routes.ts';
import { authRoutes } from './sign-in/auth-routes.ts';
import type { IdentityServices } from './identity-services.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { memberRoutes } from './organizations/member-routes.ts';
import { organizationRoutes } from './organizations/organization-routes.ts';

/** `host` is the address the server listens on, which decides what the first registration must prove. */
export const identityRoutes: FastifyPluginAsyncZod<{
  services: IdentityServices;
  host: string;
  signInsPerMinute?: number;
}> = async (app, options) => {
  await app.register(authRoutes, options);
  await app.register(secondFactorRoutes, options);
  await app.register(organizationRoutes, options);
  await app.register(memberRoutes, options);
  await app.register(accessTokenRoutes, options);
  await app.register(oauthRoutes, options);
};
