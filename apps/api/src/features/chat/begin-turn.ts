import type { DocumentAgentServices, LlmMessage, TurnSettings } from '@docwright/agent-core';
import { DomainError, type WorkingState } from '@docwright/contract';
import type { Actor } from '../identity/actor.ts';
import type { ThreadOwner } from '../threads/thread-repository.ts';
import { turnInput, type ChatServiceDependencies } from './chat-service.ts';
import { failedAnswer } from '../turns/turn-answers.ts';
import { firstRun } from '../turns/turn-repository.ts';
import type { TurnRun } from './turn-runner.ts';

export interface TurnToBegin {
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
export async function beginTurn(dependencies: ChatServiceDependencies, begin: TurnToBegin): Promise<TurnRun> {
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
      mark: firstRun,
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

function busy(): DomainError {
  return new DomainError(
    'conflict',
    'turn_running',
    'A turn is still running in this thread. Wait until it ends, or stop it first.',
  );
}
