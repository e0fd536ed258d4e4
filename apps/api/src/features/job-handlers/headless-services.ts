import { createDocumentAgentProfile } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/audit-services.ts';
import { createAutoCreateService } from '../auto-create/auto-create-service.ts';
import { createDecisionRepository } from '../auto-create/decision-repository.ts';
import { createDecisions } from '../auto-create/decisions.ts';
import { createFreeName } from '../auto-create/free-name.ts';
import { createFittingKinds } from '../auto-create/kinds/fitting-kinds.ts';
import { createKindGate } from '../auto-create/kinds/kind-gate.ts';
import { createKindRepository } from '../auto-create/kinds/kind-repository.ts';
import { createPromises } from '../auto-create/promises.ts';
import { createProposalRepository } from '../auto-create/proposal-repository.ts';
import { createProposalService } from '../auto-create/proposal-service.ts';
import { createProposedKindRepository } from '../auto-create/proposed-kind-repository.ts';
import { createSettleProposal } from '../auto-create/settle-proposal.ts';
import { createUndoAcceptance } from '../auto-create/undo-acceptance.ts';
import { createPageRepositories } from '../documents/reading/page-repository.ts';
import { createSchemaRepositories } from '../schemas/schema-repository.ts';
import { createTagRepositories } from '../tags/tag-repository.ts';
import { chooseChatModel } from '../llm/choose-chat-model.ts';
import { documentAgentServicesFor, type ArtifactServices } from '../document-agent/document-agent-services.ts';
import { createTurnRepositories } from '../turns/turn-repository.ts';
import { createDocumentRepositories } from '../documents/document-repository.ts';
import type { ExtractionRepository } from '../extractions/extraction-repository.ts';
import { createOrganizationRepository } from '../identity/organizations/organization-repository.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import { createPromptRepositories } from '../prompts/prompt-repository.ts';
import type { DecideForTurn } from '../permission-rules/turn-permissions.ts';
import { createEndReview, createReopenReview } from '../revisions/review-repository.ts';
import { createThreadRepositories } from '../threads/thread-repository.ts';
import { ownerOf } from '../threads/thread-service.ts';
import type { UndoServices } from '../undo/undo-services.ts';
import type { ThreadSpending } from '../usage/thread-spending.ts';
import { createClaimRepository, type UnsettledRun } from '../headless/claim-repository.ts';
import { createHeadlessQueue } from '../headless/create-headless-queue.ts';
import { createDocumentRunRepository } from '../headless/document-run-repository.ts';
import { createHeadlessWorker, defaultWorkerLimits, type WorkerLimits } from '../headless/headless-worker.ts';
import { createRunDocument } from '../headless/run-document.ts';
import { createWorks } from './job-handlers.ts';
import { createParkedRunRepository } from '../headless/parked-run-repository.ts';
import { createParkedRuns } from '../headless/parked-runs.ts';
import type { ParkedTurns } from '../turns/parked-turns.ts';

export interface HeadlessDependencies {
  connection: Connection;
  artifacts: ArtifactServices;
  extractionsOf: (organizationId: string) => ExtractionRepository;
  llmFor: LlmFor;
  decideFor: DecideForTurn;
  recordCallsOf: AuditServices['recordHeadlessCallsOf'];
  auditOf: AuditServices['auditOf'];
  chat: { parked: ParkedTurns };
  undo: Pick<UndoServices, 'undoWrites' | 'wasApplied'>;
  spending: ThreadSpending;
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  settings: { agentMaxRounds: number; headlessTimeoutSeconds: number };
  limits?: WorkerLimits | undefined;
  /** Wakes the workers of other processes. */
  wakeWorkers: () => Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

export type HeadlessServices = ReturnType<typeof createHeadlessServices>;

const settledAtOnce = 50;

/** Work on documents that nobody watches, and the proposals that come of it. */
export function createHeadlessServices(dependencies: HeadlessDependencies) {
  const { connection, artifacts, settings, spending, extractionsOf, log, undo } = dependencies;
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
    withdraw: (run) => parked.end(run),
    async wake() {
      worker.wake();
      await dependencies.wakeWorkers();
    },
  });
  const promises = createPromises(proposals, runs);
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
  const decisions = createDecisions({
    proposals: createDecisionRepository(connection),
    kinds,
    freeName,
    schemasFor: artifacts.schemas,
    turnIdsOf: (organizationId, runId) => runs.turnIdsOf(organizationId, runId),
    undoWrites: undo.undoWrites,
    auditOf: dependencies.auditOf,
    endReview: { prompt: createEndReview(connection, 'prompt'), schema: createEndReview(connection, 'schema') },
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
      prompt: createReopenReview(connection, 'prompt'),
      schema: createReopenReview(connection, 'schema'),
    },
  });
  const works = createWorks({
    ...createTurnRepositories(connection),
    // A model that hangs is ended by the run's own time limit, a little earlier.
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
    async wake() {
      worker.wake();
      await dependencies.wakeWorkers();
    },
    onEnded: (id) => publishEnd(id),
  });
  dependencies.chat.parked.onDecided((turnId) => parked.goOn(turnId));

  async function publishEnd(id: string): Promise<void> {
    const ended = await claims.ended(id);
    if (!ended) return;
    await settle(ended);
    queue.tell(ended);
  }

  async function settle(run: UnsettledRun): Promise<void> {
    if (run.kind !== 'auto_create') return;
    if ((await settleProposal(run)) === 0) return;
    worker.wake();
    await dependencies.wakeWorkers();
  }

  const worker = createHeadlessWorker({
    claims,
    runDocument: createRunDocument({
      claims,
      works,
      undoWrites: undo.undoWrites,
      openTurn: (run) => parked.openTurn(run),
      resume: (run, turnId, signal) => {
        spending.open(run.threadId ?? run.id);
        return parked.resume(run, turnId, signal);
      },
      timeoutMs,
      takeSpent: ({ id, threadId }) => spending.close(threadId ?? id),
      log,
    }),
    async onBegun(run) {
      if (run.kind === 'auto_create' && run.parkedTurn !== undefined) await proposals.setWaiting(run, false);
      queue.tell(run);
    },
    async onEnded({ id }) {
      const ended = await claims.ended(id);
      if (!ended) return;
      await settle(ended);
      queue.tell(ended);
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
    autoCreate: createAutoCreateService({
      queue,
      runs,
      proposals,
      decisions,
      documentsFor: documents,
      checkTags: dependencies.checkTags,
      onAskDefault: async (organizationId) => (await organizations.autoCreateSettings(organizationId)).onAsk,
    }),
    proposals: createProposalService({
      proposedKinds: createProposedKindRepository(connection),
      promptsOf,
      schemasOf,
      decisions,
      tagsFor: artifacts.tags,
      checkTags: dependencies.checkTags,
      auditOf: dependencies.auditOf,
    }),
    /** Begins what was promised for a document, now that its text is there. */
    async textIsRead(documentId: string) {
      if ((await promises.keep(documentId)) > 0) worker.wake();
    },
    /** Puts right what died between two writes. */
    async tidy() {
      await promises.keep();
      await decisions.finishAll();
      await parked.tidy();
      for (const run of await claims.unsettled(settledAtOnce)) await settle(run);
      await claims.freeOrphans();
      worker.wake();
    },
    /** Ends what is queued or runs of documents that are in the trash now. */
    async stopDocuments(organizationId: string, documentIds: readonly string[]) {
      const { ended, waiting } = await runs.stopOfDocuments(organizationId, documentIds);
      for (const run of ended) {
        await settle({ ...run, proposal: null });
        queue.tell(run);
      }
      for (const run of waiting) await parked.end(run);
    },
    /** The runs of a document that is removed for good, and with them a proposal that nobody can decide on any more. */
    async forgetDocument(organizationId: string, documentId: string) {
      for (const { runId, promptRevid, userId, isReuse } of await runs.proposalsOf(organizationId, documentId)) {
        await decisions.forget({ organizationId, documentId, userId }, { runId, promptRevid, isReuse });
      }
      await runs.removeOfDocument(organizationId, documentId);
    },
  };
}
