import { createDocumentAgentProfile } from '@docwright/agent-core';
import type { AuditServices } from '../audit/index.ts';
import { createAutoCreateService, createKindGate, createPendingRuns } from '../auto-create/index.ts';
import { createDocumentRepositories, isBeingRead } from '../documents/index.ts';
import { chooseChatModel, type LlmFor } from '../llm/index.ts';
import { documentAgentServicesFor } from '../document-agent/index.ts';
import { createTurnRepositories, type ParkedTurns } from '../turns/index.ts';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import { createOrganizationRepository } from '../identity/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import { createThreadRepositories, ownerOf } from '../threads/index.ts';
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
import { createProposalServices, type ProposalDependencies } from './proposal-services.ts';

interface HeadlessDependencies extends ProposalDependencies {
  llmFor: LlmFor;
  decideFor: DecideForTurn;
  recordCallsOf: AuditServices['recordHeadlessCallsOf'];
  chat: { parked: ParkedTurns };
  undo: Pick<UndoServices, 'undoWrites' | 'wasApplied'>;
  spending: ThreadSpending;
  settings: { agentMaxRounds: number; headlessTimeoutSeconds: number };
  limits?: WorkerLimits | undefined;
  /** Wakes the workers of other processes. */
  wakeWorkers: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export type HeadlessServices = ReturnType<typeof createHeadlessServices>;

/** Composes headless runs on documents and their proposals. */
export function createHeadlessServices(dependencies: HeadlessDependencies) {
  const { connection, artifacts, settings, spending, log, undo, rejudging } = dependencies;
  const runs = createDocumentRunRepository(connection);
  const claims = createClaimRepository(connection);
  const proposing = createProposalServices({ ...dependencies, runs, claims });
  const { proposals, kinds, fittingKinds, freeName, settleProposal, decisions, rejections } = proposing;
  const documentsOf = createDocumentRepositories(connection);
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
    undoAcceptance: proposing.undoAcceptance,
    undoRejection: proposing.undoRejection,
    proposals: proposing.service,
    autoCreate: createAutoCreateService({
      queue,
      runs,
      proposals,
      decisions,
      documentsFor: documents,
      checkTags: dependencies.checkTags,
      onAskDefault: async (organizationId) => (await organizations.uploadSettings(organizationId)).onAsk,
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
