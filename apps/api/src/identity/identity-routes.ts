import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { accessTokenRoutes } from './access-token-routes.ts';
import { authRoutes } from './auth-routes.ts';
import type { IdentityServices } from './identity-services.ts';
import { memberRoutes } from './member-routes.ts';
import { organizationRoutes } from './organization-routes.ts';

/** `host` is the address the server listens on, which decides what the first registration must prove. */
export const identityRoutes: FastifyPluginAsyncZod<{
  services: IdentityServices;
  host: string;
  signInsPerMinute?: number;
}> = async (app, options) => {
  await app.register(authRoutes, options);
  await app.register(organizationRoutes, options);
  await app.register(memberRoutes, options);
  await app.register(accessTokenRoutes, options);
};
