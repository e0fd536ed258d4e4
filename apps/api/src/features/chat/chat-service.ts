import {
  historyOfThread,
  resolveMentions,
  type AgentProfile,
  type DocumentAgentServices,
  type NewTurn,
  type ResumedTurn,
  type TurnSettings,
} from '@docwright/agent-core';
import type { ChatBody, Document } from '@docwright/contract';
import type { RecordCallsOf } from '../audit/turn-audit.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';
import type { StartingState } from '../auto-create/proposed-working-state.ts';
import type { DecideForTurn } from '../permission-rules/turn-permissions.ts';
import type { ThreadOwner, ThreadRepository } from '../threads/thread-repository.ts';
import { foundThread, ownerOf } from '../threads/thread-service.ts';
import { beginTurn } from './begin-turn.ts';
import { checkChatBody, newThreadMessages, requireToBeCut } from './chat-message-rules.ts';
import type { TurnEnder } from './decisions/end-waiting-turn.ts';
import type { TurnRepository } from '../turns/turn-repository.ts';
import type { TurnJob, TurnRun } from './turn-runner.ts';

export interface ChatServiceDependencies {
  profile: AgentProfile<DocumentAgentServices>;
  llmFor: LlmFor;
  runInBackground: (job: TurnJob) => TurnRun;
  endWaitingTurn: TurnEnder;
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Throws `document_not_found` where the document is not the organization's. */
  documentOf: (actor: Actor, documentId: string) => Promise<Document>;
  /** `settings`: of the turn that works through them. */
  servicesFor: (
    actor: Actor,
    document: Pick<Document, 'id' | 'document_name'>,
    settings?: Pick<TurnSettings, 'given'>,
  ) => DocumentAgentServices;
  decideFor: DecideForTurn;
  recordCallsOf: RecordCallsOf;
  /** Whether a write of this call is in the database. */
  wasApplied: (organizationId: string, callId: string) => Promise<boolean>;
  startingState: StartingState;
  /** Throws `model_not_enabled` for a requested model that is not offered for chat. */
  chooseModel: (actor: Actor, requested: string | undefined, lastInThread: string | undefined) => Promise<string>;
}

/** Starts turns; what is decided about a waiting one is the ApprovalService's. */
export interface ChatService {
  start(actor: Actor, documentId: string, body: ChatBody): Promise<TurnRun>;
}

/** As many messages of a thread as a model may come to read; the loop cuts further, between whole exchanges. */
export const messagesRead = 200;

export function createChatService(dependencies: ChatServiceDependencies): ChatService {
  const { profile, endWaitingTurn } = dependencies;

  return {
    async start(actor, documentId, body) {
      checkChatBody(body, (name) => profile.tools.get(name) !== undefined);
      const document = await dependencies.documentOf(actor, documentId);
      const owner = ownerOf(actor, documentId);
      const threads = dependencies.threadsOf(owner);
      const turns = dependencies.turnsOf(owner);
      const known = body.thread_id === undefined ? undefined : foundThread(await threads.get(body.thread_id));
      const cutTo = body.truncate_thread_to_message_count;
      if (known && cutTo !== undefined) requireToBeCut(cutTo, await threads.countMessages(known.id));
      const services = dependencies.servicesFor(actor, document);
      const mentions = body.mentions ?? [];
      await resolveMentions(services, mentions);
      const model = await dependencies.chooseModel(actor, body.model, known?.model);

      const added = newThreadMessages(body);
      const workingState = known?.working_state ?? (await dependencies.startingState(actor, document));
      // A new thread stands with its first messages at once: nothing can wait or run in it, and nothing has to be read.
      const thread = known ?? (await threads.create({ model, working_state: workingState, messages: added }));
      const waiting = known && (await turns.waitingIn(known.id));
      if (waiting) await endWaitingTurn(owner, waiting, 'superseded');
      const { auto_approve: autoApprove, auto_approved_tools: autoApprovedTools } = body;
      return beginTurn(dependencies, {
        actor,
        owner,
        threadId: thread.id,
        isNewThread: known === undefined,
        settings: { model, mentions, autoApprove, autoApprovedTools },
        services,
        workingState,
        async messages() {
          if (cutTo !== undefined) await threads.truncate(thread.id, cutTo);
          const before = known ? await threads.messages(known.id, messagesRead) : [];
          if (known) await threads.append(known.id, added, { model });
          return historyOfThread([...before, ...added]);
        },
      });
    },
  };
}

/** What the loop runs a turn with, new or resumed: rights and rules are those that hold at each call. */
export function turnInput(
  {
    profile,
    llmFor,
    decideFor,
    recordCallsOf,
    wasApplied,
  }: Pick<ChatServiceDependencies, 'profile' | 'llmFor' | 'decideFor' | 'recordCallsOf' | 'wasApplied'>,
  actor: Actor,
  services: DocumentAgentServices,
  turn: NewTurn | ResumedTurn,
): TurnJob['input'] {
  const started = 'pending' in turn ? turn.pending : turn;
  const { turnId, threadId, owner, settings } = started;
  const { organizationId, userId } = actor;
  const { given } = settings;
  // What is not about the document is not for its rules to decide, wherever the card stands.
  const documentId = given?.areOfDocument === false ? '' : owner.documentId;
  const decide = decideFor(actor, { ...settings, threadId, documentId });
  return {
    profile,
    llm: llmFor({ organizationId, userId, threadId, documentId: owner.documentId }),
    services,
    turn,
    decide,
    recordCalls: recordCallsOf(owner, { turnId, threadId, ...(given && { via: given.via }) }),
    wasApplied: (callId) => wasApplied(organizationId, callId),
  };
}
