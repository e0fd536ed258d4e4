import type {
  AgentProfile,
  DocumentAgentServices,
  LlmMessage,
  NewTurn,
  ResumedTurn,
  TurnSettings,
} from '@docwright/agent-core';
import { DomainError, type Document, type WorkingState } from '@docwright/contract';
import type { JointWrite } from '../../../platform/database/joint-writes.ts';
import type { RecordCallsOf } from '../../audit/index.ts';
import type { StartingState } from '../../auto-create/index.ts';
import type { CallEvaluations } from '../../evaluations/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { LlmFor } from '../../llm/index.ts';
import { decideUnattended, type DecideForTurn } from '../../permission-rules/index.ts';
import type { ThreadOwner, ThreadRepository } from '../../threads/index.ts';
import { failedAnswer, firstRun, type TurnRepository } from '../../turns/index.ts';
import type { EndPendingTurn } from './end-pending-turn.ts';
import type { TurnJob, RunningTurn } from './turn-runner.ts';

/** The number of a thread's messages that the loop receives; it drops more of them, in whole exchanges. */
export const maxHistoryMessages = 200;

export interface ChatServiceDependencies {
  /** The agent of a document, or of a place beside the documents. */
  profileOf: (documentId: string) => AgentProfile<DocumentAgentServices>;
  llmFor: LlmFor;
  runInBackground: (job: TurnJob) => RunningTurn;
  endPendingTurn: EndPendingTurn;
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  /** Throws `document_not_found` if the document does not belong to the organization. */
  documentOf: (actor: Actor, documentId: string) => Promise<Document>;
  /** `settings`: of the turn that uses the services. */
  servicesFor: (
    actor: Actor,
    document: Pick<Document, 'id' | 'document_name'>,
    settings?: Pick<TurnSettings, 'given' | 'unattended' | 'ask'>,
  ) => DocumentAgentServices;
  decideFor: DecideForTurn;
  recordCallsOf: RecordCallsOf;
  /** Whether the write of this call is in the database. */
  wasApplied: (organizationId: string, callId: string) => Promise<boolean>;
  /** Evaluations of the calls of this user's turns. */
  evidence: (actor: Actor) => CallEvaluations;
  startingState: StartingState;
  /** Throws `model_not_enabled` for a requested model that is not offered for chat. */
  chooseModel: (actor: Actor, requested: string | undefined, lastInThread: string | undefined) => Promise<string>;
}

interface TurnToStart {
  actor: Actor;
  owner: ThreadOwner;
  threadId: string;
  /** The thread and its messages are created for this turn. */
  isNewThread: boolean;
  /** The writes that create the thread, unless it is stored. */
  threadWrites?: readonly JointWrite[] | undefined;
  settings: TurnSettings;
  services: DocumentAgentServices;
  workingState: WorkingState;
  /** The history for the model. Called when no other turn can start in the thread anymore. */
  messages: () => Promise<readonly LlmMessage[]>;
}

/** Stores the turn and runs it in the background. Throws `turn_running` (409) if another turn runs in the thread. */
export async function startTurn(dependencies: ChatServiceDependencies, toStart: TurnToStart): Promise<RunningTurn> {
  const { actor, owner, threadId, isNewThread, settings, services, workingState } = toStart;
  const turns = dependencies.turnsOf(owner);
  const turnId = await turns.start(threadId, {
    role: actor.role,
    beginning: { settings, isNewThread },
    ...(toStart.threadWrites && { before: toStart.threadWrites }),
  });
  if (turnId === undefined) throw turnRunning();
  try {
    const turn = { turnId, threadId, owner, settings, messages: await toStart.messages(), workingState };
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

/** The input of the loop for a new or resumed turn. Each call is decided with the rights and rules of its moment. */
export function turnInput(
  {
    profileOf,
    llmFor,
    decideFor,
    recordCallsOf,
    wasApplied,
    evidence,
  }: Pick<ChatServiceDependencies, 'profileOf' | 'llmFor' | 'decideFor' | 'recordCallsOf' | 'wasApplied' | 'evidence'>,
  actor: Actor,
  services: DocumentAgentServices,
  turn: NewTurn | ResumedTurn,
  approver?: string,
): TurnJob['input'] {
  const { turnId, threadId, owner, settings } = 'pending' in turn ? turn.pending : turn;
  const { organizationId, userId } = actor;
  const profile = profileOf(owner.documentId);
  const { given } = settings;
  // A call that does not concern the document is not subject to its rules, even if its card is shown there.
  const documentId = given?.areOfDocument === false ? '' : owner.documentId;
  const place = { ...settings, threadId, documentId };
  const decideForActor = decideFor(actor, place);
  const decideForApprover = approver === undefined ? undefined : decideFor({ ...actor, userId: approver }, place);
  const decide =
    settings.unattended === undefined
      ? decideForActor
      : decideUnattended(decideForActor, decideForApprover, {
          onAsk: settings.unattended.onAsk,
          awaitsAnswers: (tool) => profile.tools.get(tool)?.awaitsAnswers === true,
        });
  return {
    profile,
    llm: llmFor({
      organizationId,
      userId,
      threadId,
      documentId: owner.documentId,
      runId: settings.unattended?.runId,
    }),
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

function turnRunning(): DomainError {
  return new DomainError(
    'conflict',
    'turn_running',
    'A turn is still running in this thread. Wait until it ends, or stop it first.',
  );
}
