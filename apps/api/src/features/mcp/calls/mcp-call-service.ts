import { setTimeout as sleep } from 'node:timers/promises';
import {
  collectionProfile,
  contentOfResult,
  imageOfResult,
  noGivenContent,
  prepareCall,
  permissionRequestOf,
  type AgentProfile,
  type CollectionToolServices,
  type Decide,
  type DocumentAgentServices,
  type TaskAgentServices,
} from '@docwright/agent-core';
import { DomainError, objectId, type TurnAnswer } from '@docwright/contract';
import type { RecordCallsOf } from '../../audit/index.ts';
import type {
  ApprovalService,
  ProgramCall,
  ProgramCalls,
  ProgramReads,
  RunningTurn,
  TurnService,
} from '../../chat/index.ts';
import { pollInTurn } from '../../../platform/places/polls.ts';
import { newId } from '../../../platform/database/object-id.ts';
import type { Actor } from '../../identity/index.ts';
import type { DecideForTurn } from '../../permission-rules/index.ts';
import { failed, outcomeOf, withoutArguments, type McpOutcome, type CallLocation } from './call-outcome.ts';
import { bindingOf, isCollectionTool, isTaskTool, offeredTool } from './offered-tools.ts';
import { runSingleCall } from './single-call.ts';

export interface McpCallDependencies {
  chat: {
    profile: AgentProfile<DocumentAgentServices>;
    programCalls: ProgramCalls;
    programReads: ProgramReads;
    approvals: ApprovalService;
  };
  turns: Pick<TurnService, 'state'>;
  /** For a document by its id, or without one; throws `document_not_found` and `never_to_model`. */
  documentServices: (actor: Actor, documentId: string | undefined) => Promise<DocumentAgentServices>;
  tasks: {
    profile: AgentProfile<TaskAgentServices>;
    services: (actor: Actor) => TaskAgentServices;
    decideFor: (actor: Actor, threadId: string) => Decide;
  };
  collections: { services: (actor: Actor) => CollectionToolServices; decideFor: (actor: Actor) => Decide };
  /** The document in whose conversation organization-wide writes are shown; undefined without documents. */
  newestDocument: (actor: Actor) => Promise<string | undefined>;
  decideFor: DecideForTurn;
  recordCallsOf: RecordCallsOf;
}

interface McpCall {
  name: string;
  arguments: Record<string, unknown>;
  /** The client's name as users see it. */
  client: string;
}

/** Starts a turn within the user's limits. */
export type Admit = (start: () => Promise<RunningTurn>) => Promise<RunningTurn>;

/** Calls of MCP clients: the same tools under the same rules. */
export interface McpCallService {
  /** Throws DomainErrors that are not the tool's: a missing document, too many turns. */
  call(actor: Actor, call: McpCall, admit: Admit): Promise<McpOutcome>;
  /** Applies the user's answer from the client; a decision made elsewhere meanwhile takes precedence. */
  decide(
    actor: Actor,
    waiting: CallLocation & { callId: string },
    approved: boolean,
    admit: Admit,
  ): Promise<McpOutcome>;
  /** Throws `turn_not_found` for other users' turns. Waits up to `waitSeconds` for a decision. */
  outcome(actor: Actor, place: Pick<CallLocation, 'documentId' | 'turnId'>, waitSeconds?: number): Promise<McpOutcome>;
  /** Keeps what a program was given by another tool than those of the agents: an answer over many documents, pending calls. */
  keepAnswer(actor: Actor, answer: unknown): Promise<void>;
}

const pollMs = 500;

export function createMcpCallService(dependencies: McpCallDependencies): McpCallService {
  const { chat, turns, tasks, collections, documentServices, decideFor, recordCallsOf } = dependencies;

  async function outcome(
    actor: Actor,
    { documentId, turnId }: Pick<CallLocation, 'documentId' | 'turnId'>,
    waitSeconds = 0,
  ): Promise<McpOutcome> {
    const deadline = Date.now() + waitSeconds * 1000;
    for (;;) {
      const look = async () => turns.state(actor, documentId, turnId);
      const now = outcomeOf(await (waitSeconds > 0 ? pollInTurn(actor, look) : look()), documentId);
      if (now.kind === 'done' || Date.now() >= deadline) return now;
      await sleep(Math.min(pollMs, deadline - Date.now()));
    }
  }

  /** Runs a call without a document, whose complete result is its answer. */
  async function callWithoutDocument(actor: Actor, name: string, given: Record<string, unknown>): Promise<TurnAnswer> {
    const turnId = newId();
    const shared = {
      owner: { organizationId: actor.organizationId, userId: actor.userId, documentId: '' },
      token: actor.token,
      recordCallsOf,
      turnId,
      call: { name, arguments: JSON.stringify(given) },
    };
    if (isTaskTool(name)) {
      const read = await chat.programReads.list(actor);
      return runSingleCall({
        ...shared,
        ...tasks,
        profile: { ...tasks.profile, givenContent: async () => ({ ...noGivenContent, read }) },
        services: tasks.services(actor),
        decide: tasks.decideFor(actor, turnId),
      });
    }
    const decide = collections.decideFor(actor);
    return runSingleCall({ ...shared, profile: collectionProfile, services: collections.services(actor), decide });
  }

  /** Whether the call needs a conversation: every allowed write, and every call that needs approval. */
  async function belongsInConversation(
    decide: Decide,
    services: DocumentAgentServices,
    call: { name: string; arguments: string },
  ) {
    const prepared = prepareCall(chat.profile.tools, call.name, call.arguments);
    if (prepared.refusal !== undefined) return false;
    const { effect } = await decide(permissionRequestOf(prepared, services));
    return effect === 'ask' || (effect === 'allow' && prepared.tool.effect !== 'read');
  }

  async function callInConversation(actor: Actor, call: ProgramCall, admit: Admit): Promise<McpOutcome> {
    const start = async () => (await admit(() => chat.programCalls.start(actor, call))).answer;
    const find = async () => (await chat.programCalls.findPending(actor, call)) ?? (await start());
    return outcomeOf(await chat.programCalls.oneAfterAnother(actor, call, find), call.documentId);
  }

  /** Keeps what a program was given, so that later calls are known to come from there. */
  async function remembered(actor: Actor, made: Promise<McpOutcome>, given: McpCall['arguments'] = {}) {
    const outcome = await made;
    if (outcome.kind !== 'done') return outcome;
    const documentId = outcome.place?.documentId || objectId.safeParse(given['document_id']).data;
    // An error quotes names that documents have dictated.
    const read = outcome.success
      ? contentOfResult(offeredTool(outcome.tool), outcome.result, documentId)
      : contentOfResult(undefined, withoutArguments(outcome.error, given));
    await chat.programReads.add(actor, read);
    return outcome;
  }

  const service: McpCallService = {
    outcome,
    async call(actor, { name, arguments: given, client }, admit) {
      const tool = offeredTool(name);
      if (!tool) return failed(`There is no tool called ${name}.`);
      if (isTaskTool(name) || isCollectionTool(name))
        return outcomeOf(await callWithoutDocument(actor, name, given), '');

      const binding = bindingOf(tool);
      const { document_id, ...rest } = given;
      const documentId =
        binding === 'none' || document_id === undefined ? undefined : objectId.safeParse(document_id).data;
      if (
        documentId === undefined &&
        (binding === 'required' || (binding === 'optional' && document_id !== undefined))
      ) {
        return failed(
          `The arguments do not fit ${name}: document_id must be the id of a document, 24 hex digits. list_documents gives the ids.`,
        );
      }
      const call = { name, arguments: JSON.stringify(binding === 'none' ? given : rest) };
      const services = await documentServices(actor, documentId);
      const unasked = { autoApprove: false, autoApprovedTools: [] };
      const decide = decideFor(actor, { threadId: '', documentId: documentId ?? '', ...unasked });
      if (await belongsInConversation(decide, services, call)) {
        const shownOn = documentId ?? (await dependencies.newestDocument(actor));
        if (shownOn === undefined) return failed(noDocumentMessage);
        const areOfDocument = documentId !== undefined;
        return callInConversation(
          actor,
          { ...call, program: client, via: 'mcp', documentId: shownOn, areOfDocument },
          admit,
        );
      }
      const owner = { organizationId: actor.organizationId, userId: actor.userId, documentId: documentId ?? '' };
      const { profile } = chat;
      const answer = await runSingleCall({
        profile,
        services,
        owner,
        token: actor.token,
        decide,
        recordCallsOf,
        turnId: newId(),
        call,
      });
      return withImage(outcomeOf(answer, documentId ?? ''), services);
    },
    async decide(actor, { documentId, turnId, callId }, approved, admit) {
      const body = { turn_id: turnId, approvals: [{ call_id: callId, approved }], stream: false };
      try {
        const { answer } = await admit(() => chat.approvals.approve(actor, documentId, body));
        return outcomeOf(await answer, documentId);
      } catch (error) {
        if (!(error instanceof DomainError) || !['conflict', 'gone'].includes(error.kind)) throw error;
        return outcome(actor, { documentId, turnId }, otherDecisionWaitSeconds);
      }
    },
    async keepAnswer(actor, answer) {
      await chat.programReads.add(actor, contentOfResult(answerContent, answer));
    },
  };
  return {
    ...service,
    call: async (actor, call, admit) => remembered(actor, service.call(actor, call, admit), call.arguments),
    decide: async (actor, ...decision) => remembered(actor, service.decide(actor, ...decision)),
    outcome: async (actor, ...place) => remembered(actor, service.outcome(actor, ...place)),
  };
}

/** An answer over many documents quotes them, and so does a pending call. */
const answerContent = {
  documentContent: ['text', 'claims', 'arguments', 'summary', 'preview', 'passages', 'said', 'document_name'],
};

/** Adds the image that a result refers to: MCP clients declare that they accept images. */
async function withImage(outcome: McpOutcome, services: DocumentAgentServices): Promise<McpOutcome> {
  if (outcome.kind !== 'done' || !outcome.success) return outcome;
  const image = await imageOfResult(services, JSON.stringify(outcome.result));
  return image === undefined ? outcome : { ...outcome, images: [image.url] };
}

/** How long to wait for a result after another user's decision. */
const otherDecisionWaitSeconds = 30;

const noDocumentMessage =
  'A write is shown to the user on a document’s page, and this organization has no document yet. Upload one first.';
