import type {
  AgentProfile,
  DocumentAgentServices,
  LlmMessage,
  NewTurn,
  ResumedTurn,
  TurnSettings,
} from '@docwright/agent-core';
import { DomainError, type Document, type WorkingState } from '@docwright/contract';
import type { RecordCallsOf } from '../audit/index.ts';
import type { StartingState } from '../auto-create/index.ts';
import type { CallEvidence } from '../evaluations/index.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import { decideUnattended, type DecideForTurn } from '../permission-rules/index.ts';
import type { ThreadOwner, ThreadRepository } from '../threads/index.ts';
import { failedAnswer, firstRun, type TurnRepository } from '../turns/index.ts';
import type { TurnEnder } from './decisions/end-waiting-turn.ts';
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
    settings?: Pick<TurnSettings, 'given' | 'unattended'>,
  ) => DocumentAgentServices;
  decideFor: DecideForTurn;
  recordCallsOf: RecordCallsOf;
  /** Whether a write of this call is in the database. */
  wasApplied: (organizationId: string, callId: string) => Promise<boolean>;
  /** What measurements say about the calls of this person's turns. */
  evidence: (actor: Actor) => CallEvidence;
  startingState: StartingState;
  /** Throws `model_not_enabled` for a requested model that is not offered for chat. */
  chooseModel: (actor: Actor, requested: string | undefined, lastInThread: string | undefined) => Promise<string>;
}

interface TurnToStart {
  actor: Actor;
  owner: ThreadOwner;
  threadId: string;
  /** The thread was made for this turn, and its messages with it. */
  isNewThread: boolean;
  settings: TurnSettings;
  services: DocumentAgentServices;
  workingState: WorkingState;
  /** What the model reads; called once no other turn can begin in the thread. */
  messages: () => Promise<readonly LlmMessage[]>;
}

/** Stores the turn and runs it in the background; 409 `turn_running` where another one runs in the thread. */
export async function startTurn(dependencies: ChatServiceDependencies, begin: TurnToStart): Promise<TurnRun> {
  const { actor, owner, threadId, isNewThread, settings, services, workingState } = begin;
  const turns = dependencies.turnsOf(owner);
  const turnId = await turns.begin(threadId, { role: actor.role, beginning: { settings, isNewThread } });
  if (turnId === undefined) throw busy();
  try {
    const turn = { turnId, threadId, owner, settings, messages: await begin.messages(), workingState };
    return dependencies.runInBackground({
      turnId,
      threadId,
      eventsBefore: 0,
      token: firstRun,
      threads: dependencies.threadsOf(owner),
      turns,
      input: turnInput(dependencies, actor, services, turn),
    });
  } catch (error) {
    const answer = failedAnswer({ turnId, threadId }, error);
    await turns.finish(turnId, firstRun, { status: 'failed', answer, eventCount: 0 });
    throw error;
  }
}

/** What the loop runs a turn with, new or resumed: rights and rules are those that hold at each call. */
export function turnInput(
  {
    profile,
    llmFor,
    decideFor,
    recordCallsOf,
    wasApplied,
    evidence,
  }: Pick<ChatServiceDependencies, 'profile' | 'llmFor' | 'decideFor' | 'recordCallsOf' | 'wasApplied' | 'evidence'>,
  actor: Actor,
  services: DocumentAgentServices,
  turn: NewTurn | ResumedTurn,
  approver?: string,
): TurnJob['input'] {
  const started = 'pending' in turn ? turn.pending : turn;
  const { turnId, threadId, owner, settings } = started;
  const { organizationId, userId } = actor;
  const { given } = settings;
  // What is not about the document is not for its rules to decide, wherever the card stands.
  const documentId = given?.areOfDocument === false ? '' : owner.documentId;
  const place = { ...settings, threadId, documentId };
  const own = decideFor(actor, place);
  const decide =
    settings.unattended === undefined
      ? own
      : decideUnattended(own, approver === undefined ? undefined : decideFor({ ...actor, userId: approver }, place), {
          onAsk: settings.unattended.onAsk,
          awaitsAnswers: (tool) => profile.tools.get(tool)?.awaitsAnswers === true,
        });
  return {
    profile,
    llm: llmFor({ organizationId, userId, threadId, documentId: owner.documentId }),
    services,
    turn,
    decide,
    recordCalls: recordCallsOf(owner, {
      turnId,
      threadId,
      ...(given && { via: given.via }),
      ...(settings.unattended && { headless: true as const, origin: settings.unattended.source }),
      ...(actor.token && { token: actor.token }),
    }),
    wasApplied: (callId) => wasApplied(organizationId, callId),
    ...(approver !== undefined && { approver }),
    checkEvidence: (evaluationId, { tool, args, callId }) =>
      evidence(actor).staleness(evaluationId, { tool, args, call_id: callId, turn_id: turnId }),
  };
}

function busy(): DomainError {
  return new DomainError(
    'conflict',
    'turn_running',
    'A turn is still running in this thread. Wait until it ends, or stop it first.',
  );
}
