import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { traceCommand, watchCommands } from './platform/database/watch-commands.ts';
import { answerUnreadableRequest, createHttpServer } from './platform/http/http-server.ts';
import { healthRoutes } from './platform/http/health-routes.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { errorHandler, sendNotFound } from './platform/http/error-handler.ts';
import { jsonBodies } from './platform/http/json-bodies.ts';
import { knownParameters } from './platform/http/queries/known-parameters.ts';
import { pageCursors } from './platform/http/queries/page-cursors.ts';
import { largeBodies } from './platform/http/large-bodies.ts';
import { requestPlaces } from './platform/places/request-places.ts';
import { longAnswers } from './platform/long-values/long-answers.ts';
import { lifecycle } from './platform/http/lifecycle.ts';
import { metricsPlugin } from './platform/metrics/metrics-plugin.ts';
import { readableLists } from './platform/records/readable-lists.ts';
import { RequestLog } from './platform/log/request-log.ts';
import { validateRequest } from './platform/http/request-validation.ts';
import { webApp } from './platform/http/web-app.ts';
import { externalPlugins } from './platform/http/external/external-plugins.ts';
import type { AppDependencies } from './process/app-dependencies.ts';
import { features, type Services } from './process/features.ts';
import { createQueueDepthRepository } from './process/queue-depth-repository.ts';
import { reportStalledWork, watchQueues } from './process/watch-queues.ts';
import { traceRequests } from './platform/tracing/trace-requests.ts';
import { openDatabase } from './platform/database/connection.ts';
import { storedBytesOf } from './platform/database/stored-bytes/stored-bytes.ts';
import { createJobQueue } from './platform/jobs/job-queue.ts';

/** Maximum JSON body, unless a route sets its own. */
const bodyLimit = 4 * 1024 * 1024;

/** Builds the server without listening. Also returns the services, for jobs and tests. */
export async function buildApp(dependencies: AppDependencies): Promise<{ app: FastifyInstance; services: Services }> {
  const app = fastify({
    loggerInstance: dependencies.logger,
    logController: new RequestLog(),
    bodyLimit,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // Without trusted proxies, the connecting address is the client's and forwarding headers are ignored.
    trustProxy: dependencies.settings.trustedProxies.length > 0 ? dependencies.settings.trustedProxies : false,
    frameworkErrors: (_error, request, reply) => void sendNotFound(request, reply),
    clientErrorHandler: answerUnreadableRequest,
    serverFactory: createHttpServer,
    routerOptions: { maxParamLength: 500 },
  }).withTypeProvider<ZodTypeProvider>();
  const plainApp = app as unknown as FastifyInstance;
  app.setValidatorCompiler(validateRequest);

  await app.register(errorHandler);
  await app.register(jsonBodies);
  await app.register(readableLists);
  // Before long answers become streams.
  await app.register(pageCursors);
  await app.register(longAnswers);
  await app.register(knownParameters);
  await app.register(externalPlugins, dependencies);
  await app.register(traceRequests);
  await app.register(lifecycle, dependencies);
  const metrics = createMetrics();
  watchCommands(dependencies.connection, (command, outcome, seconds) => {
    metrics.databaseDuration.observe({ command, outcome }, seconds);
    traceCommand(command, outcome, seconds);
  });
  await app.register(metricsPlugin, { metrics });
  const { connection, logger, readiness, isQuiet } = dependencies;
  // The last free space is for deletions.
  const isPaused = () => readiness.missing().includes('disk');
  const jobs = createJobQueue({
    database: () => openDatabase(connection),
    log: logger,
    isPaused,
    ...(isQuiet && { isQuiet }),
  });
  const services = features.create({
    ...dependencies,
    metrics,
    jobs,
    jwt: app.jwt,
    app: plainApp,
    closing: app.closing,
  });
  const queues = createQueueDepthRepository(connection);
  watchQueues({ metrics, jobs, queues, headless: services.headless.queue, runningTurns: services.chat.runningTurns });

  await app.register(webApp, dependencies);
  await app.register(healthRoutes, dependencies);
  await features.register(plainApp, services);
  // After the hook that reads the rights: bodies are received, and requests take turns, by organization. Bodies first: of those
  // that never arrive, only few then wait for a turn.
  await app.register(largeBodies);
  await app.register(requestPlaces);
  const stopReports = reportStalledWork({ queues, log: logger });
  app.addHook('onClose', async () => {
    stopReports();
    await jobs.stop();
    // A database that is away keeps no process from ending.
    await Promise.race([
      storedBytesOf(connection)
        .flush()
        .catch(() => undefined),
      delay(1_000, undefined, { ref: false }),
    ]);
  });

  return { app: plainApp, services };
}
