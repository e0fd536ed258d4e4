import {
  collectionTools,
  documentAgentTools,
  pipelineAgentTools,
  taskAgentTools,
  type LlmClient,
} from '@docwright/agent-core';
import { recognizePage } from '@docwright/documents';
import type { JWT } from '@fastify/jwt';
import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { createAuditServices } from '../features/audit/audit-services.ts';
import { createChatRemoval } from '../features/chat/chat-removal-repository.ts';
import { createChatServices } from '../features/chat/chat-services.ts';
import { openDatabase } from '../platform/database/connection.ts';
import { createBulkServices } from '../features/document-bulk/bulk-services.ts';
import { workBulkJobsJobName } from '../features/document-bulk/work-bulk-jobs-job.ts';
import { createDocumentRepositories } from '../features/documents/document-repository.ts';
import { createDocumentServices } from '../features/documents/document-services.ts';
import { createEvaluationRemoval, createEvaluationServices } from '../features/evaluations/evaluation-services.ts';
import { evaluateJobName } from '../features/evaluations/evaluate-job.ts';
import { createExtractionRepositories } from '../features/extractions/extraction-repository.ts';
import { createExtractionServices } from '../features/extractions/extraction-services.ts';
import { createHeadlessServices } from '../features/job-handlers/headless-services.ts';
import type { WorkerLimits } from '../features/headless/headless-worker.ts';
import { createIdentityServices } from '../features/identity/identity-services.ts';
import { headlessJobName } from '../features/job-handlers/headless-job.ts';
import { indexCollectionsJobName } from '../features/collections/index-collections-job.ts';
import { createJobQueue } from '../platform/jobs/job-queue.ts';
import { readTextsJobName } from '../features/documents/reading/read-texts-job.ts';
import { recognizePagesJobName } from '../features/documents/reading/recognize-pages-job.ts';
import { workRunsJobName } from '../features/runs/work-runs-job.ts';
import { createLlmServices } from '../features/llm/llm-services.ts';
import { createMcpServices } from '../features/mcp/mcp-services.ts';
import { createPermissionRuleServices } from '../features/permission-rules/permission-rule-services.ts';
import { createPipelineAgentServices } from '../features/pipeline-agent/pipeline-agent-services.ts';
import { createCollectionRemoval, createPipelineServices } from '../features/collections/pipeline-services.ts';
import { createPromptRepositories } from '../features/prompts/prompt-repository.ts';
import { measureLlmClient } from '../features/llm/measured-llm-client.ts';
import { measureRecognition } from '../features/documents/reading/measured-recognition.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { createQueueDepthRepository } from './queue-depth-repository.ts';
import { watchQueues } from './watch-queues.ts';
import type { ResolveHost } from '../platform/network/host-guard.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { createRunServices } from '../features/runs/run-services.ts';
import { createScheduleRepositories } from '../features/schedules/schedule-repository.ts';
import { createScheduleServices } from '../features/schedules/schedule-services.ts';
import { createSchemaChatServices } from '../features/schema-chat/schema-chat-services.ts';
import { createTagRepositories } from '../features/tags/tag-repository.ts';
import { createTagCheck } from '../features/tags/tag-service.ts';
import { createTaskPermissions } from '../features/tasks/task-permissions.ts';
import { createTaskUnlinking } from '../features/tasks/task-repository.ts';
import { createTaskServices } from '../features/tasks/task-services.ts';
import { createUndoRemoval, createUndoServices } from '../features/undo/undo-services.ts';
import { createUsageServices } from '../features/usage/usage-services.ts';

/** What the areas are built from. */
export interface ServiceDependencies {
  settings: Settings;
  /** The resolved APP_SECRET. Derive a key for each purpose with `deriveKey`. */
  appSecret: string;
  connection: Connection;
  /** The settings' model endpoint, or the demo model's. */
  llmEndpoint: { baseUrl: string; apiKey: string | undefined; model: string };
  /** Takes the place of the endpoint's client, in tests. */
  llm?: LlmClient;
  /** Takes the place of the system's resolver for addresses that people name, in tests. */
  resolveHost?: ResolveHost;
  /** How much work without a person is done at once, and when a worker counts as dead; in tests. */
  workerLimits?: WorkerLimits;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  jwt: JWT;
}

export type Services = ReturnType<typeof createServices>;

/** Every area's services, as routes and jobs get them: what requests write stands in the audit log. */
export function createServices(dependencies: ServiceDependencies) {
  const { settings, appSecret, connection, metrics, logger, jwt } = dependencies;
  const identity = createIdentityServices({ connection, jwt, appSecret, allowSignup: settings.allowSignup });
  const jobs = createJobQueue({ database: () => openDatabase(connection), log: logger });
  const tagsOf = createTagRepositories(connection);
  const extractionsOf = createExtractionRepositories(connection);
  const documents = createDocumentServices({
    connection,
    maxUploadBytes: settings.maxUploadBytes,
    checkTags: createTagCheck(tagsOf),
    missingTags: (organizationId, tagIds) => tagsOf(organizationId).missing(tagIds),
    stopWork: (organizationId, documentIds) => headless.stopDocuments(organizationId, documentIds),
    onDelete: [
      (organizationId, documentId) => extractionsOf(organizationId).removeAll(documentId),
      createChatRemoval(connection),
      createUndoRemoval(connection),
      createCollectionRemoval(connection),
      createTaskUnlinking(connection),
      createEvaluationRemoval(connection),
      (organizationId, documentId) => headless.forgetDocument(organizationId, documentId),
    ],
    wakeTextReader: () => jobs.wake(readTextsJobName),
    wakeRecognition: () => jobs.wake(recognizePagesJobName),
    recognize: measureRecognition(recognizePage, metrics),
    onTextRead: (documentId) => headless.textIsRead(documentId),
    autoCreateDefault: identity.autoCreateDefault,
    log: logger,
  });
  const { usage, meter, meterEmbeddings, spending } = createUsageServices(connection);
  const { llmFor, llmAt, models, providers } = createLlmServices({
    connection,
    appSecret,
    endpoint: dependencies.llmEndpoint,
    fallbackModel: settings.llm.fallbackModel,
    allowedHosts: settings.llm.allowedHosts,
    resolveHost: dependencies.resolveHost,
    llm: dependencies.llm,
    meter,
    measure: (client, label) => measureLlmClient(client, metrics, label),
    log: logger,
  });
  const { tags, schemas, prompts, extractions } = createExtractionServices({
    connection,
    tagsOf,
    extractionsOf,
    documentsOf: createDocumentRepositories(connection),
    documents: documents.documents,
    models,
    llmFor,
    log: logger,
  });
  const evaluating = createEvaluationServices({
    connection,
    documents: documents.documents,
    ...{ prompts, schemas, models, llmFor, identity, log: logger },
    wake: () => jobs.wake(evaluateJobName),
  });
  const { auditOf, audit, recordCallsOf, recordHeadlessCallsOf, recordedWrites } = createAuditServices(connection);
  const toolNames = documentAgentTools.tools.map(({ name }) => name);
  const taskToolNames = taskAgentTools.tools.map(({ name }) => name);
  const pipelineToolNames = [...pipelineAgentTools.tools, ...collectionTools.tools].map(({ name }) => name);
  const permissions = createPermissionRuleServices({
    connection,
    auditOf,
    evidenceOf: evaluating.evidence,
    toolNames: [...toolNames, ...taskToolNames, ...pipelineToolNames],
  });
  const undos = createUndoServices({ connection, auditOf, schemas, prompts, extractions });
  const { undo, undoWrite, takeBack, wasApplied, parts: undoParts } = undos;
  const artifacts = {
    ...{ tags, schemas, prompts, extractions, models },
    documents: documents.documents,
    agentEvaluations: evaluating.agentEvaluations,
  };
  const chat = createChatServices({
    connection,
    permissions,
    evidence: evaluating.evidence,
    recordCallsOf,
    wasApplied,
    actorOf: identity.authentication.actorOf,
    artifacts,
    llmFor,
    settings,
    log: logger,
  });
  const headless = createHeadlessServices({
    connection,
    artifacts,
    extractionsOf,
    llmFor,
    decideFor: permissions.decideFor,
    recordCallsOf: recordHeadlessCallsOf,
    auditOf,
    undo: { takeBack, wasApplied },
    spending,
    checkTags: createTagCheck(tagsOf),
    settings,
    limits: dependencies.workerLimits,
    wakeWorkers: () => jobs.wake(headlessJobName),
    log: logger,
  });
  const { schemaChat, schemaColumns } = createSchemaChatServices({
    documents: documents.documents,
    schemas,
    models,
    llmFor,
    llmAt,
    maxRounds: settings.agentMaxRounds,
  });
  const agents = {
    connection,
    documents: documents.documents,
    models,
    llmFor,
    decideFor: permissions.decideFor,
    recordCallsOf,
    settings,
    log: logger,
  };
  const { tasks, taskAgentServices, taskChat } = createTaskServices(agents);
  const pipelines = createPipelineServices({
    connection,
    checkTags: createTagCheck(tagsOf),
    extractions,
    endpoint: { ...dependencies.llmEndpoint, embeddingModel: settings.llm.embeddingModel },
    meterEmbeddings,
    wakeIndexing: () => jobs.wake(indexCollectionsJobName),
    log: logger,
  });
  const mcp = createMcpServices({
    connection,
    appSecret,
    chat,
    documents: documents.documents,
    tasks: { services: taskAgentServices, decideFor: createTaskPermissions(permissions.decideFor) },
    collections: (actor) => ({
      collections: { list: (page) => pipelines.collections(actor).list(page), search: pipelines.search(actor) },
    }),
    decideFor: permissions.decideFor,
    recordCallsOf,
  });
  const { agentConversations, agentMessages } = createPipelineAgentServices({ ...agents, pipelines });
  const promptsOf = createPromptRepositories(connection);
  const running = {
    connection,
    checkTags: createTagCheck(tagsOf),
    promptExists: async (organizationId: string, id: string) =>
      (await promptsOf(organizationId).getCurrent(id)) !== undefined,
    log: logger,
  };
  const wakeRuns = () => jobs.wake(workRunsJobName);
  const schedulesOf = createScheduleRepositories(connection);
  const { runs, runsOf, work, undoing } = createRunServices({
    ...running,
    scheduleMaker: async (organizationId, id) => (await schedulesOf(organizationId).get(id))?.created_by,
    undo: undoParts,
    auditOf,
    endWaiting: async () => true,
    queue: headless.queue,
    toolNames,
    wake: wakeRuns,
    look: () => jobs.look(workRunsJobName),
    onEnded: (action, state) => metrics.runs.inc({ action, state }),
  });
  const bulk = createBulkServices({ ...running, documents, runs, wake: () => jobs.wake(workBulkJobsJobName) });
  const { schedules, due } = createScheduleServices({ ...running, runs, runsOf, wakeRuns });
  const queues = createQueueDepthRepository(connection);
  const { runningTurns } = chat;
  watchQueues({ metrics, jobs, queues, headless: headless.queue, runningTurns });
  return {
    identity,
    jobs,
    ...recordedWrites.all({ tags, schemas, prompts, extractions }),
    documents: { ...documents, documents: recordedWrites.documents(documents.documents) },
    llmFor,
    models,
    providers,
    usage,
    ...evaluating,
    chat,
    mcp,
    pipelines,
    agentConversations,
    agentMessages,
    headless,
    autoCreate: headless.autoCreate,
    runs,
    runWork: work,
    runUndo: undoing,
    bulk,
    schedules,
    dueSchedules: due,
    audit,
    auditOf,
    recordCallsOf,
    permissions,
    tasks,
    taskAgentServices,
    taskChat,
    schemaChat,
    schemaColumns,
    undo,
    undoWrite,
    wasApplied,
  };
}
