import { randomUUID } from 'node:crypto';
import { fastify, type FastifyInstance } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { auditRoutes } from './features/audit/audit-routes.ts';
import { autoCreateRoutes } from './features/auto-create/auto-create-routes.ts';
import { chatRoutes } from './features/chat/chat-routes.ts';
import { createTurnAdmission } from './features/turn-admission/turn-admission.ts';
import { createStreamAdmission, defaultStreamLimits } from './features/stream-admission/stream-admission.ts';
import { defaultTurnLimits } from './features/turn-admission/turn-limits.ts';
import { createTurnCounter } from './features/turn-admission/turn-rate-repository.ts';
import { turnRoutes } from './features/chat/turn-routes.ts';
import { undoRoutes } from './features/undo/undo-routes.ts';
import { watchCommands } from './platform/database/watch-commands.ts';
import { bulkRoutes } from './features/document-bulk/bulk-routes.ts';
import { documentEventsRoutes } from './features/documents/document-events-routes.ts';
import { documentFileRoutes } from './features/documents/files/document-file-routes.ts';
import { documentRoutes } from './features/documents/document-routes.ts';
import { trashRoutes } from './features/documents/removal/trash-routes.ts';
import { uploadRoutes } from './features/documents/files/upload-routes.ts';
import { evaluationRoutes } from './features/evaluations/evaluation-routes.ts';
import { extractionRoutes } from './features/extractions/extraction-routes.ts';
import { healthRoutes } from './platform/http/health-routes.ts';
import { identityRoutes } from './features/identity/identity-routes.ts';
import { llmRoutes } from './features/llm/llm-routes.ts';
import { providerRoutes } from './features/llm/provider-routes.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { mcpRoutes } from './features/mcp/mcp-routes.ts';
import { permissionRuleRoutes } from './features/permission-rules/permission-rule-routes.ts';
import { pipelineAgentRoutes } from './features/pipeline-agent/pipeline-agent-routes.ts';
import { collectionRoutes } from './features/collections/collection-routes.ts';
import { pluginRoutes } from './features/plugins/plugin-routes.ts';
import { sourceRoutes } from './features/sources/source-routes.ts';
import { authentication } from './features/identity/authentication.ts';
import { errorHandler, sendNotFound } from './platform/http/error-handler.ts';
import { jsonBodies } from './platform/http/json-bodies.ts';
import { lifecycle } from './platform/http/lifecycle.ts';
import { metricsPlugin } from './platform/metrics/metrics-plugin.ts';
import { RequestLog } from './platform/log/request-log.ts';
import { validateRequest } from './platform/http/request-validation.ts';
import { answerUnreadableRequest } from './platform/http/unreadable-request.ts';
import { webApp } from './platform/http/web-app.ts';
import { externalPlugins } from './platform/http/external/external-plugins.ts';
import { promptRoutes } from './features/prompts/prompt-routes.ts';
import { runRoutes } from './features/runs/run-routes.ts';
import { scheduleRoutes } from './features/schedules/schedule-routes.ts';
import { schemaChatRoutes } from './features/schema-chat/schema-chat-routes.ts';
import { schemaColumnsRoutes } from './features/schema-chat/schema-columns-routes.ts';
import { schemaRoutes } from './features/schemas/schema-routes.ts';
import type { AppDependencies } from './process/build-app.ts';
import { createServices, type Services } from './process/services.ts';
import { tagRoutes } from './features/tags/tag-routes.ts';
import { taskChatRoutes } from './features/tasks/task-chat-routes.ts';
import { taskRoutes } from './features/tasks/task-routes.ts';
import { threadRoutes } from './features/threads/thread-routes.ts';
import { usageRoutes } from './features/usage/usage-routes.ts';

/** The size of a JSON body where a route does not say otherwise. */
const bodyLimit = 4 * 1024 * 1024;

/** Builds the server without listening. The services are given back for jobs and tests. */
export async function buildApp(dependencies: AppDependencies): Promise<{ app: FastifyInstance; services: Services }> {
  const app = fastify({
    loggerInstance: dependencies.logger,
    logController: new RequestLog(),
    bodyLimit,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // Else whoever connects is the client, and what they say of somebody else's address counts for nothing.
    trustProxy: dependencies.settings.trustedProxies.length > 0 ? dependencies.settings.trustedProxies : false,
    frameworkErrors: (_error, request, reply) => void sendNotFound(request, reply),
    clientErrorHandler: answerUnreadableRequest,
    routerOptions: { maxParamLength: 500 },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(serializerCompiler);

  await app.register(errorHandler);
  await app.register(jsonBodies);
  await app.register(externalPlugins, dependencies);
  await app.register(lifecycle, dependencies);
  const metrics = createMetrics();
  watchCommands(dependencies.connection, (command, outcome, seconds) =>
    metrics.databaseDuration.observe({ command, outcome }, seconds),
  );
  await app.register(metricsPlugin, { metrics });
  const services = createServices({ ...dependencies, metrics, jwt: app.jwt });
  await app.register(authentication, { authenticationService: services.identity.authentication });
  await app.register(webApp, dependencies);

  const streams = createStreamAdmission({
    limits: dependencies.streamLimits ?? defaultStreamLimits,
    closing: app.closing,
    holds: async (principal, actor) => services.identity.authentication.holds(principal, actor),
  });

  // The areas, one line each.
  await app.register(healthRoutes, dependencies);
  await app.register(identityRoutes, {
    ...dependencies,
    services: services.identity,
    host: dependencies.settings.host,
  });
  await app.register(documentRoutes, {
    services: services.documents,
    withLog: (actor, document) => services.autoCreate(actor).withLog(document),
  });
  await app.register(trashRoutes, { services: services.documents });
  await app.register(bulkRoutes, { services: services.bulk, streams });
  await app.register(autoCreateRoutes, { services });
  await app.register(documentFileRoutes, { ...dependencies, services: services.documents, streams });
  await app.register(documentEventsRoutes, {
    services: services.documents,
    extractionChanges: (actor, documentId) => services.extractions(actor).changeCount(documentId),
    streams,
  });
  await app.register(uploadRoutes, {
    services: services.documents,
    maxUploadBytes: dependencies.settings.maxUploadBytes,
  });
  await app.register(tagRoutes, { services });
  await app.register(schemaRoutes, { services });
  await app.register(schemaColumnsRoutes, { services });
  await app.register(promptRoutes, { services });
  await app.register(extractionRoutes, { services });
  await app.register(evaluationRoutes, { services, streams });
  await app.register(llmRoutes, { services });
  await app.register(providerRoutes, { services });
  await app.register(usageRoutes, { services });
  await app.register(scheduleRoutes, { services });
  await app.register(runRoutes, { services, streams });
  await app.register(pluginRoutes);
  await app.register(sourceRoutes, { services: services.pipelines });
  await app.register(collectionRoutes, { services: services.pipelines });
  const admission = createTurnAdmission(
    app,
    dependencies.turnLimits ?? defaultTurnLimits,
    createTurnCounter(dependencies.connection),
  );
  await app.register(chatRoutes, { services: services.chat, admission, streams });
  await app.register(turnRoutes, { services: services.chat, streams });
  await app.register(threadRoutes, { services: services.chat });
  await app.register(undoRoutes, { services });
  await app.register(mcpRoutes, { services: services.mcp, admission, streams });
  await app.register(permissionRuleRoutes, { services: services.permissions });
  await app.register(auditRoutes, { services });
  await app.register(schemaChatRoutes, { services, admission });
  await app.register(taskRoutes, { services });
  await app.register(taskChatRoutes, { services, admission });
  await app.register(pipelineAgentRoutes, { services, admission, streams });
  app.addHook('preClose', () => services.chat.stop());
  app.addHook('preClose', () => services.headless.worker.stop());
  app.addHook('preClose', () => services.taskChat.stop());
  app.addHook('preClose', () => services.agentMessages.stop());
  app.addHook('onClose', () => services.jobs.stop());

  return { app: app as unknown as FastifyInstance, services };
}
