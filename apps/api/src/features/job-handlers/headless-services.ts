import { createDocumentAgentProfile } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/index.ts';
import {
  createAutoCreateService,
  createDecisionRepository,
  createDecisions,
  createFreeName,
  createFittingKinds,
  createKindGate,
  createKindRepository,
  createPendingRuns,
  createProposalRepository,
  createProposalService,
  createProposedKindRepository,
  createSettleProposal,
  createRejectionRepository,
  createUndoAcceptance,
  createUndoRejection,
} from '../auto-create/index.ts';
import { createPageRepositories, createDocumentRepositories, isBeingRead } from '../documents/index.ts';
import { createSchemaRepositories } from '../schemas/index.ts';
import { createTagRepositories } from '../tags/index.ts';
import { chooseChatModel, type LlmFor } from '../llm/index.ts';
import { documentAgentServicesFor, type ArtifactServices } from '../document-agent/index.ts';
import { createTurnRepositories, type ParkedTurns } from '../turns/index.ts';
import { createIncompleteResults, type ExtractionRepository } from '../extractions/index.ts';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import { createOrganizationRepository } from '../identity/index.ts';
import { createPromptRepositories } from '../prompts/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import { createEndReview, createReopenReview } from '../revisions/index.ts';
import { createThreadRepositories, ownerOf } from '../threads/index.ts';
import type { Rejudging } from '../release/index.ts';
import type { UndoServices } from '../undo/index.ts';
import type { ThreadSpending } from '../usage/index.ts';
import {
  createClaimRepository,
  type UnsettledRun,
  createHeadlessQueue,
  createDocumentRunRepository,
  createHeadlessWorker,
  defaultWorkerLimits,
  type WorkerLimits,
  createRunDocument,
  createParkedRunRepository,
  createParkedRuns,
} from '../headless/index.ts';
import { createJobHandlers } from './job-handlers.ts';

interface HeadlessDependencies {
  connection: Connection;
  artifacts: ArtifactServices;
  extractionsOf: (organizationId: string) => ExtractionRepository;
  llmFor: LlmFor;
  decideFor: DecideForTurn;
  recordCallsOf: AuditServices['recordHeadlessCallsOf'];
  auditOf: AuditServices['auditOf'];
  chat: { parked: ParkedTurns };
  undo: Pick<UndoServices, 'undoWrites' | 'wasApplied'>;
  /** A proposal that waits for its acceptance is not released, nor a result whose run waits for a decision. */
  rejudging: Rejudging;
  spending: ThreadSpending;
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  settings: { agentMaxRounds: number; headlessTimeoutSeconds: number };
  limits?: WorkerLimits | undefined;
  /** Wakes the workers of other processes. */
  wakeWorkers: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export type HeadlessServices = ReturnType<typeof createHeadlessServices>;

/** Composes headless runs on documents and their proposals. */
export function createHeadlessServices(dependencies: HeadlessDependencies) {
  const { connection, artifacts, settings, spending, extractionsOf, log, undo, rejudging } = dependencies;
  const runs = createDocumentRunRepository(connection);
  const claims = createClaimRepository(connection);
  const proposals = createProposalRepository(connection);
  const documentsOf = createDocumentRepositories(connection);
  const promptsOf = createPromptRepositories(connection);
  const threadsOf = createThreadRepositories(connection);
  const organizations = createOrganizationRepository(connection);
  const timeoutMs = settings.headlessTimeoutSeconds * 1000;
  const { documents, prompts, extractions, models } = artifacts;

  const queue = createHeadlessQueue({
    runs,
    documentOf: (organizationId, documentId) => documentsOf(organizationId).get(documentId),
    setRunning: (organizationId, documentId, runId) => proposals.setRunning(organizationId, documentId, runId),
    settle: (run) => settle(run),
    withdrawCalls: (run) => parked.end(run),
    wake,
  });
  const pendingRuns = createPendingRuns(proposals, runs);
  const kinds = createKindRepository(connection);
  const schemasOf = createSchemaRepositories(connection);
  const freeName = createFreeName({ schema: schemasOf, prompt: promptsOf });
  const fittingKinds = createFittingKinds({ kinds, promptsOf, schemasOf, pagesOf: createPageRepositories(connection) });
  const settleProposal = createSettleProposal({
    proposals,
    claims,
    kinds,
    fittingKinds,
    promptsOf,
    extractionsOf,
    tagsOf: createTagRepositories(connection),
  });
  const rejections = createRejectionRepository(connection);
  const { undo: undoRejection, restoreDocument } = createUndoRejection({
    rejections,
    kinds,
    freeName,
    promptsOf,
    schemasOf,
    promptsFor: prompts,
    schemasFor: artifacts.schemas,
    tagsOf: createTagRepositories(connection),
  });
  const decisions = createDecisions({
    rejections,
    restoreDocument,
    proposals: createDecisionRepository(connection),
    kinds,
    freeName,
    schemasFor: artifacts.schemas,
    turnIdsOf: (organizationId, runIds) => runs.turnIdsOf(organizationId, runIds),
    undoWrites: undo.undoWrites,
    auditOf: dependencies.auditOf,
    endReview: {
      prompt: rejudging.after(createEndReview(connection, 'prompt')),
      schema: createEndReview(connection, 'schema'),
    },
    promptsFor: prompts,
    extractionsOf,
    documentsFor: documents,
  });
  const undoAcceptance = createUndoAcceptance({
    proposals: createDecisionRepository(connection),
    kinds,
    promptsFor: prompts,
    promptsOf,
    reopenReview: {
      prompt: rejudging.after(createReopenReview(connection, 'prompt')),
      schema: createReopenReview(connection, 'schema'),
    },
  });
  const jobHandlers = createJobHandlers({
    ...createTurnRepositories(connection),
    // The run's own timeout ends a hanging model a little earlier.
    profile: createDocumentAgentProfile({ maxRounds: settings.agentMaxRounds, timeoutMs: timeoutMs + 60_000 }),
    llmFor: dependencies.llmFor,
    decideFor: dependencies.decideFor,
    recordCallsOf: dependencies.recordCallsOf,
    wasApplied: undo.wasApplied,
    chooseModel: ({ organizationId }) => chooseChatModel(models(organizationId), undefined, undefined),
    threadsOf,
    parked: dependencies.chat.parked,
    claims,
    proposals,
    kindGate: createKindGate(kinds, fittingKinds),
    existingKind: (...kind) => fittingKinds.named(...kind),
    exclusively: (organizationId, create) => kinds.exclusively(organizationId, create),
    freeName,
    auditOf: dependencies.auditOf,
    roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
    documentsFor: documents,
    promptsFor: prompts,
    extractionsFor: extractions,
    servicesFor: (actor, document, mark) => ({
      ...documentAgentServicesFor(
        artifacts,
        actor,
        document,
        { list: async (id, page) => ({ ...(await threadsOf(ownerOf(actor, id)).list(page)), ...page }) },
        mark,
      ),
      conversation: { isUnattended: true, isReadOnly: actor.role === 'viewer' },
    }),
    openSpending: (threadId) => spending.open(threadId),
    log,
  });

  const parked = createParkedRuns({
    runs: createParkedRunRepository(connection),
    chat: dependencies.chat.parked,
    wake,
    onEnded: async (id) => void (await publishEnd(id)),
    log,
  });
  const tidying = createSetAside({ log, failure: 'what a dead process left could not be finished' });
  dependencies.chat.parked.onDecided((turnId) => parked.requeue(turnId));

  async function wake(): Promise<void> {
    worker.wake();
    await dependencies.wakeWorkers();
  }

  /** Settles and publishes the end of a run, and returns the run. */
  async function publishEnd(id: string): Promise<UnsettledRun | undefined> {
    const ended = await claims.ended(id);
    if (!ended) return undefined;
    await settle(ended);
    queue.publish(ended);
    await rejudging.ofDocument(ended.organizationId, ended.documentId);
    return ended;
  }

  async function settle(run: UnsettledRun): Promise<void> {
    if (run.kind === 'auto_create' && (await settleProposal(run)) > 0) await wake();
  }
  const worker = createHeadlessWorker({
    claims,
    runDocument: createRunDocument({
      claims,
      jobHandlers,
      undoWrites: undo.undoWrites,
      openTurn: (run) => parked.openTurn(run),
      resume: (run, turnId, signal) => {
        spending.open(run.threadId ?? run.id);
        return parked.resume(run, turnId, signal);
      },
      isBeingRead: async ({ organizationId, documentId }) =>
        isBeingRead(await documentsOf(organizationId).get(documentId)),
      timeoutMs,
      takeSpending: ({ id, threadId }) => spending.close(threadId ?? id),
      log,
    }),
    async onStarted(run) {
      if (run.kind === 'auto_create' && run.parkedTurn !== undefined) await proposals.setWaiting(run, false);
      queue.publish(run);
    },
    async onEnded({ id }) {
      const ended = await publishEnd(id);
      if (!ended) return;
      const { organizationId, documentId, state } = ended;
      const isGone = state === 'cancelled' && !(await documentsOf(organizationId).exists(documentId));
      if (isGone) await runs.removeOfDocument(organizationId, documentId);
    },
    limits: dependencies.limits ?? defaultWorkerLimits,
    log,
  });

  return {
    queue,
    worker,
    parked,
    undoAcceptance,
    undoRejection,
    autoCreate: createAutoCreateService({
      queue,
      runs,
      proposals,
      decisions,
      documentsFor: documents,
      checkTags: dependencies.checkTags,
      onAskDefault: async (organizationId) => (await organizations.uploadSettings(organizationId)).onAsk,
    }),
    proposals: createProposalService({
      proposedKinds: createProposedKindRepository(connection),
      incompleteResults: createIncompleteResults(connection),
      promptsOf,
      schemasOf,
      decisions,
      tagsFor: artifacts.tags,
      checkTags: dependencies.checkTags,
      auditOf: dependencies.auditOf,
    }),
    /** Queues the pending run of a document after its text was read. */
    async textIsRead(documentId: string) {
      if ((await pendingRuns.queue(documentId)) > 0) worker.wake();
    },
    /** Wakes the worker, and finishes what a dead process left between two writes: what fails keeps nothing else from it. */
    async tidy() {
      worker.wake();
      await tidying.work('pending runs', () => pendingRuns.queue());
      await tidying.work('decisions', () => decisions.finishAll());
      await tidying.work('parked runs', () => parked.tidy());
      for (const run of await claims.unsettled()) await tidying.work(run.id, () => settle(run));
      if ((await claims.requeueOrphanedWaits()) > 0) worker.wake();
    },
    /** Ends the queued and active runs of documents that were moved to the trash. */
    async stopDocuments(organizationId: string, documentIds: readonly string[]) {
      const { ended, waiting } = await runs.cancelOfDocuments(organizationId, documentIds);
      for (const run of ended) {
        await settle({ ...run, proposal: null });
        queue.publish(run);
      }
      for (const run of waiting) await parked.end(run);
    },
    /** Removes the runs of a deleted document, and a proposal that can no longer be decided. */
    async forgetDocument(organizationId: string, documentId: string) {
      for (const { runId, promptRevid, userId, isReuse } of await runs.proposalsOf(organizationId, documentId)) {
        await decisions.forget({ organizationId, documentId, userId }, { runId, promptRevid, isReuse });
      }
      await runs.removeOfDocument(organizationId, documentId);
      await rejections.forgetDocument({ organizationId, documentId });
    },
  };
}
