import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDocumentAgentProfile,
  createMemoryTurnStore,
  type AgentProfile,
  type DocumentAgentServices,
  type TurnSettings,
  type UnattendedTurn,
} from '@docwright/agent-core';
import type { Document } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createJointWrites } from '../../platform/database/joint-writes.ts';
import { createStartingState } from '../auto-create/index.ts';
import type { AuditServices } from '../audit/index.ts';
import type { WriteContext } from '../../turn-writes/write-origin.ts';
import type { Actor } from '../identity/index.ts';
import type { CallEvaluations } from '../evaluations/index.ts';
import { type LlmFor, chooseChatModel } from '../llm/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import { createThreadRepositories, createThreadService, emptyWorkingState, ownerOf } from '../threads/index.ts';
import { createApprovalService } from './decisions/approval-service.ts';
import type { ChatServiceDependencies } from './running/start-turn.ts';
import { createChatService } from './chat-service.ts';
import { documentAgentServicesFor, type ArtifactServices } from '../document-agent/index.ts';
import { createDocumentOfTurn } from './running/document-of-turn.ts';
import { createEndPendingTurn } from './running/end-pending-turn.ts';
import { keepLeases } from './running/keep-leases.ts';
import { createLiveTurns } from './running/live-turns.ts';
import { pollOrphanedTurns } from './resume/poll-orphaned-turns.ts';
import { createRunDecided } from './resume/run-decided.ts';
import { createResumeOrphan, type ActorOf } from './resume/resume-orphan.ts';
import { isBeingRead } from '../documents/index.ts';
import { createProgramReads } from './program-read-repository.ts';
import { createProgramCalls } from './program-calls.ts';
import {
  createMongoTurnStore,
  createPendingCallWriter,
  createTurnEventRepository,
  createTurnRepositories,
  type ParkedTurns,
  type PendingTurnStore,
  withParkedTurns,
} from '../turns/index.ts';
import { createEvidenceOnTurns } from './decisions/evidence-on-turns.ts';
import { createTurnRunner } from './running/turn-runner.ts';
import { createTurnService, latestTurnOf } from './turn-service.ts';

export interface ChatAreaDependencies {
  connection: Connection;
  /** Decides on calls and records their outcomes. */
  permissions: Pick<PermissionRuleServices, 'decideFor' | 'rememberedDecisions' | 'forgetThread'>;
  recordCallsOf: AuditServices['recordCallsOf'];
  /** Evaluations of calls. */
  evidence: (actor: Actor) => CallEvaluations;
  /** Whether the write of this call is in the database. */
  wasApplied: (organizationId: string, callId: string) => Promise<boolean>;
  /** The user of an orphaned turn, who continues it. */
  actorOf: ActorOf;
  artifacts: ArtifactServices;
  llmFor: LlmFor;
  /** How long a turn waits for the text of its document, in milliseconds; ten seconds by default. */
  readingWaitMs?: number | undefined;
  settings: {
    agentMaxRounds: number;
    turnStore: 'memory' | 'mongo';
    turnTtlSeconds: number;
    parkedTtlSeconds: number;
  };
  log: { error(fields: object, message: string): void };
}

/** Calls that concern no document. */
const withoutDocument = { via: 'mcp' as const, calls: [], areOfDocument: false };

/** Limit of one run up to its pause or end: enough for about ten slow model answers. */
const turnTimeoutMs = 15 * 60_000;

/** How long events can be replayed after the time that their turn can wait. */
const eventRetentionMs = 24 * 60 * 60_000;

/** An agent beside those of the documents. Its turns and threads are stored under an id that no document has. */
interface AgentBeside<Services> {
  profile: AgentProfile<Services>;
  servicesFor: (actor: Actor, ask: NonNullable<TurnSettings['ask']>) => Services;
  place: Document;
}

export type ChatServices = ReturnType<typeof createChatServices>;

const pollMs = 250;

/** Waits for the text of the document of a turn, all its requests together at most so long. A duplicate is never read. */
function untilRead({ document, documents }: DocumentAgentServices, waitMs: number): () => Promise<void> {
  let until: number | undefined;
  return async () => {
    until ??= Date.now() + waitMs;
    while (Date.now() < until) {
      if (!isBeingRead(await documents.get(document.id))) return;
      await sleep(pollMs);
    }
  };
}

export function createChatServices(dependencies: ChatAreaDependencies) {
  const { connection, artifacts, llmFor, settings, permissions, recordCallsOf, wasApplied, evidence, log, actorOf } =
    dependencies;
  const { readingWaitMs = 10_000 } = dependencies;
  const threadsOf = createThreadRepositories(connection);
  const { turnsOf, renewLeases, orphanedTurns } = createTurnRepositories(connection);
  const waitMs = settings.turnTtlSeconds * 1000;
  const parkedMs = settings.parkedTtlSeconds * 1000;
  const write = createJointWrites(connection);
  const parkedStore = createMongoTurnStore(connection, { ttlMs: waitMs, parkedTtlMs: parkedMs });
  const turnStore: PendingTurnStore =
    settings.turnStore === 'memory'
      ? withParkedTurns(createMemoryTurnStore({ ttlMs: waitMs }), parkedStore, write)
      : parkedStore;
  const programReads = createProgramReads(connection);
  const liveTurns = createLiveTurns();
  const decidedListeners: ((turnId: string) => Promise<void>)[] = [];
  const events = createTurnEventRepository(connection, { keptMs: Math.max(waitMs, parkedMs) + eventRetentionMs });
  const profile = createDocumentAgentProfile({ maxRounds: settings.agentMaxRounds, timeoutMs: turnTimeoutMs });

  const agents = new Map<string, AgentBeside<DocumentAgentServices>>();
  const profileOf = (documentId: string) => agents.get(documentId)?.profile ?? profile;
  const documentOf = async (actor: Actor, documentId: string): Promise<Document> =>
    agents.get(documentId)?.place ?? (await artifacts.documents(actor).get(documentId));
  const requireDocument = async (actor: Actor, documentId: string) => void (await documentOf(actor, documentId));
  const documentOfTurn = createDocumentOfTurn({
    documentOf,
    trashedByCall: (actor, documentId) => artifacts.documents(actor).trashedByCall(documentId),
    turnsOf,
    turnStore,
  });
  const isStoreLasting = settings.turnStore === 'mongo';
  const runInBackground = createTurnRunner({
    liveTurns,
    turnStore,
    write,
    isStoreLasting,
    events,
    waitMs,
    parkedMs,
    log,
  });
  const endPendingTurn = createEndPendingTurn({ turnStore, events, threadsOf, turnsOf, recordCallsOf });
  const servicesFor: ChatServiceDependencies['servicesFor'] = (actor, document, settings) => {
    const beside = agents.get(document.id);
    if (beside) return beside.servicesFor(actor, settings?.ask ?? {});
    const threads: DocumentAgentServices['threads'] = {
      list: async (documentId, page) => ({ ...(await threadsOf(ownerOf(actor, documentId)).list(page)), ...page }),
    };
    const { given } = settings ?? {};
    const { areOfDocument = true } = given ?? {};
    const services = documentAgentServicesFor(artifacts, actor, document, threads, {
      areOfDocument,
      ...(settings?.unattended && writeContextOf(settings.unattended)),
    });
    if (given === undefined) return { ...services, untilRead: untilRead(services, readingWaitMs) };
    return { ...services, program: { namesDocument: areOfDocument, read: async () => programReads.list(actor) } };
  };
  const stateOfDocument = createStartingState({
    documentsFor: artifacts.documents,
    extractionsFor: artifacts.extractions,
    promptsFor: artifacts.prompts,
  });
  const startingState: typeof stateOfDocument = async (actor, documentId) =>
    agents.has(documentId) ? emptyWorkingState : await stateOfDocument(actor, documentId);
  const { decideFor, rememberedDecisions } = permissions;
  const withEvidence = createEvidenceOnTurns(evidence);
  const running = {
    profileOf,
    llmFor,
    runInBackground,
    threadsOf,
    turnsOf,
    documentOf,
    documentOfTurn,
    servicesFor,
    decideFor,
    recordCallsOf,
    wasApplied,
    evidence,
  };
  const leases = keepLeases({ liveTurns, renewLeases, log });
  const runDecided = createRunDecided({ ...running, rememberedDecisions });
  const resumeOrphan = createResumeOrphan({
    ...running,
    turnStore,
    isStoreLasting,
    events,
    liveTurns,
    actorOf,
    runDecided,
    log,
  });
  const polling = pollOrphanedTurns({ orphanedTurns, resumeOrphan, log });

  const chatDependencies: ChatServiceDependencies = {
    ...running,
    endPendingTurn,
    startingState,
    chooseModel: ({ organizationId }, requested, last) =>
      chooseChatModel(artifacts.models(organizationId), requested, last),
  };

  const parked: ParkedTurns = {
    resumeOrphan,
    endPendingTurn,
    turnsOf,
    parkedStore,
    parkedMs,
    stopTurn: (turnId) => liveTurns.get(turnId)?.running?.stop.abort(),
    onDecided: (listener) => void decidedListeners.push(listener),
  };

  return {
    profile,
    /** The agent of a document, or of a place beside the documents. */
    profileOf,
    requireDocument,
    chat: createChatService(chatDependencies),
    programReads,
    programCalls: createProgramCalls({
      ...chatDependencies,
      turnStore,
      pendingCalls: createPendingCallWriter(connection),
    }),
    /** The agent's services for a document. Without a document, those that need one refuse. */
    servicesFor: async (actor: Actor, documentId: string | undefined): Promise<DocumentAgentServices> => {
      const given = documentId === undefined ? withoutDocument : undefined;
      const document = documentId === undefined ? { id: '', document_name: '' } : await documentOf(actor, documentId);
      return servicesFor(actor, document, given && { given });
    },
    approvals: createApprovalService({
      ...running,
      turnStore,
      events,
      liveTurns,
      rememberedDecisions,
      runDecided,
      resumeOrphan,
      notifyDecided: async (turnId) => void (await Promise.all(decidedListeners.map((listener) => listener(turnId)))),
    }),
    turns: createTurnService({
      liveTurns,
      storedEvents: events,
      turnsOf,
      endPendingTurn,
      pendingCalls: createPendingCallWriter(connection),
      documentOfTurn,
      actorOf,
      evidence,
      withEvidence,
    }),
    threads: createThreadService({
      threadsOf,
      requireDocument,
      startingState,
      async pendingTurn(actor, owner, threadId) {
        const answer = (await turnsOf(owner).pendingIn(threadId))?.answer;
        return answer && (await withEvidence(actor, answer));
      },
      async latestTurn(owner, threadId) {
        const turn = await turnsOf(owner).latestIn(threadId);
        return turn && latestTurnOf(turn);
      },
      nextModel: ({ organizationId }, last) => chooseChatModel(artifacts.models(organizationId), undefined, last),
      onDelete: permissions.forgetThread,
    }),
    /** Adds an agent whose turns and threads belong to no document. `id`: 24 hex digits that begin with eight zeros, unlike those of documents. */
    addAgent<Services>(id: string, agent: Omit<AgentBeside<Services>, 'place'>): void {
      // The loop hands an agent's services to the tools of the same agent alone, whatever their type.
      const known = agent as unknown as Omit<AgentBeside<DocumentAgentServices>, 'place'>;
      agents.set(id, { ...known, place: { id, document_name: '' } as Document });
    },
    /** Lets a worker resume parked turns. */
    parked,
    threadsOf,
    turnStore,
    /** Turns that run in this process. */
    runningTurns: () => liveTurns.running().length,
    /** Stops running turns, so that they are stored before the database connection closes. */
    async stop() {
      await polling.stop();
      await leases.stop();
      await liveTurns.stopAll();
    },
  };
}

function writeContextOf({ forReview, source, runId }: UnattendedTurn): WriteContext {
  return { source, ...(forReview && { for_review: true }), ...(runId !== undefined && { run_id: runId }) };
}
