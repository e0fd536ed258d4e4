import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Readiness } from './db/readiness.ts';
import { healthRoutes } from './health/health-routes.ts';
import { authRoutes } from './identity/auth-routes.ts';
import { authentication } from './plugins/app/authentication.ts';
import { errorHandler } from './plugins/app/error-handler.ts';
import { lifecycle } from './plugins/app/lifecycle.ts';
import { webApp } from './plugins/app/web-app.ts';
import { externalPlugins } from './plugins/external/external-plugins.ts';
import { createServices, type ServiceDependencies, type Services } from './services.ts';

export interface AppDependencies extends Omit<ServiceDependencies, 'jwt'> {
  logger: FastifyBaseLogger;
  readiness: Readiness;
  /** The built web app; without it the API alone is served. */
  webRoot?: string;
  /** Requests a minute from one caller; sign-in has its own, lower limit. */
  requestsPerMinute?: number;
}

/** The size of a JSON body where a route does not say otherwise. */
const bodyLimit = 4 * 1024 * 1024;

/** Builds the server without listening. The services are given back for jobs and tests. */
export async function buildApp(dependencies: AppDependencies): Promise<{ app: FastifyInstance; services: Services }> {
  const app = fastify({
    loggerInstance: dependencies.logger,
    bodyLimit,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);

  await app.register(errorHandler);
  await app.register(externalPlugins, dependencies);
  await app.register(lifecycle, dependencies);
  const services = createServices({ ...dependencies, jwt: app.jwt });
  await app.register(authentication, { authenticationService: services.identity.authentication });
  await app.register(webApp, dependencies);

  // The areas, one line each.
  await app.register(healthRoutes, dependencies);
  await app.register(authRoutes, { services: services.identity, host: dependencies.settings.host });

  return { app: app as unknown as FastifyInstance, services };
}
