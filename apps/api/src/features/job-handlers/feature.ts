import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/index.ts';
import { autoCreateRoutes, proposalRoutes, acceptTool, rejectTool } from '../auto-create/index.ts';
import type { ArtifactServices } from '../document-agent/index.ts';
import type { DocumentHooks } from '../documents/index.ts';
import { createExtractionRepositories } from '../extractions/index.ts';
import type { WorkerLimits } from '../headless/index.ts';
import type { LlmFor } from '../llm/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { Rejudging } from '../release/index.ts';
import { createTagCheck } from '../tags/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import type { ParkedTurns } from '../turns/index.ts';
import type { UndoServices, UndoHandler } from '../undo/index.ts';
import type { ThreadSpending } from '../usage/index.ts';
import { createHeadlessJob, headlessJobName } from './headless-job.ts';
import { createHeadlessServices } from './headless-services.ts';

interface HeadlessNeeds {
  connection: Connection;
  artifacts: Omit<ArtifactServices, 'agentEvaluations' | 'schemaUse' | 'releases' | 'localeOf'>;
  releases: ArtifactServices['releases'];
  agentEvaluations: ArtifactServices['agentEvaluations'];
  schemaUse: ArtifactServices['schemaUse'];
  identity: Pick<IdentityServices, 'localeOf'>;
  llmFor: LlmFor;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  recordHeadlessCallsOf: AuditServices['recordHeadlessCallsOf'];
  auditOf: AuditServices['auditOf'];
  chat: { parked: ParkedTurns };
  undoWrites: UndoServices['undoWrites'];
  wasApplied: UndoServices['wasApplied'];
  onUndo: (tool: string, handler: UndoHandler) => void;
  spending: ThreadSpending;
  documentHooks: DocumentHooks;
  rejudging: Rejudging;
  jobs: Pick<JobQueue, 'wake'>;
  /** Concurrency and timeouts of headless workers; in tests. */
  workerLimits?: WorkerLimits;
  settings: Settings;
  logger: FastifyBaseLogger;
}

/** Headless runs on documents, and the proposals they make. */
export const headlessFeature = defineFeature({
  create(needs: HeadlessNeeds) {
    const { connection, permissions, recordHeadlessCallsOf, undoWrites, wasApplied, documentHooks, jobs } = needs;
    const headless = createHeadlessServices({
      ...needs,
      artifacts: {
        ...needs.artifacts,
        agentEvaluations: needs.agentEvaluations,
        schemaUse: needs.schemaUse,
        releases: needs.releases,
        localeOf: needs.identity.localeOf,
      },
      extractionsOf: createExtractionRepositories(connection),
      decideFor: permissions.decideFor,
      recordCallsOf: recordHeadlessCallsOf,
      undo: { undoWrites, wasApplied },
      checkTags: createTagCheck(connection),
      limits: needs.workerLimits,
      wakeWorkers: () => jobs.wake(headlessJobName),
      log: needs.logger,
    });
    needs.onUndo(acceptTool, headless.undoAcceptance);
    needs.onUndo(rejectTool, headless.undoRejection);
    documentHooks.onRemove((organizationId, documentId) => headless.forgetDocument(organizationId, documentId));
    documentHooks.onTrash((organizationId, documentIds) => headless.stopDocuments(organizationId, documentIds));
    documentHooks.onTextRead((documentId) => headless.textIsRead(documentId));
    return { headless, autoCreate: headless.autoCreate, proposals: headless.proposals };
  },
  routes: async (app, services) => {
    await app.register(autoCreateRoutes, { services });
    await app.register(proposalRoutes, { services });
  },
  jobs: ({ headless }) => [createHeadlessJob(headless)],
  start: ({ headless }) => headless.worker.start(),
  stop: async ({ headless }) => headless.worker.stop(),
});
