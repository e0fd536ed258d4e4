import { DomainError, type TurnAnswer } from '@docwright/contract';
import type { Actor } from '../identity/actor.ts';
import type { ThreadOwner } from '../threads/thread-repository.ts';
import { ownerOf } from '../threads/thread-service.ts';
import type { TurnEnder } from './end-waiting-turn.ts';
import type { LiveTurns } from './live-turns.ts';
import { blankAnswer } from './turn-answers.ts';
import { closedLog, type TurnEventLog } from './turn-event-log.ts';
import { isAwaiting } from './turn-model.ts';
import type { StoredTurn, TurnRepository } from './turn-repository.ts';

/** The present state of a turn: its answer as of the last pause or end; while it runs here, with what was done since. */
export type TurnState = Omit<TurnAnswer, 'status'> & { status: TurnAnswer['status'] | 'running' };

export interface TurnServiceDependencies {
  liveTurns: LiveTurns;
  turnsOf: (owner: ThreadOwner) => TurnRepository;
  endWaitingTurn: TurnEnder;
  /** Throws `document_not_found` where the document is not the organization's. */
  requireDocument: (actor: Actor, documentId: string) => Promise<void>;
}

/** Turns after they were started. Whoever did not start one does not find it (`turn_not_found`). */
export interface TurnService {
  state(actor: Actor, documentId: string, turnId: string): Promise<TurnState>;
  /** Ends a running turn at the next safe point, and a waiting one with its calls rejected. */
  stop(actor: Actor, documentId: string, turnId: string): Promise<TurnState>;
  /** What the turn has said and goes on to say; of a turn that this process does not know, its last answer. */
  events(actor: Actor, documentId: string, turnId: string): Promise<TurnEventLog>;
}

export function createTurnService(dependencies: TurnServiceDependencies): TurnService {
  const { liveTurns, turnsOf, endWaitingTurn, requireDocument } = dependencies;

  async function find(actor: Actor, documentId: string, turnId: string): Promise<StoredTurn> {
    await requireDocument(actor, documentId);
    return foundTurn(await turnsOf(ownerOf(actor, documentId)).get(turnId));
  }

  return {
    async state(actor, documentId, turnId) {
      const turn = await find(actor, documentId, turnId);
      const soFar = turn.status === 'running' ? liveTurns.get(turn.id)?.running?.progress.soFar() : undefined;
      return { ...stateOf(turn), ...soFar };
    },
    async stop(actor, documentId, turnId) {
      const turn = await find(actor, documentId, turnId);
      const running = liveTurns.get(turn.id)?.running;
      if (running) {
        running.stop.abort();
        await running.finished;
      } else if (isWaiting(turn)) {
        await endWaitingTurn(ownerOf(actor, documentId), turn, 'stopped');
      }
      return stateOf(await find(actor, documentId, turnId));
    },
    async events(actor, documentId, turnId) {
      const turn = await find(actor, documentId, turnId);
      const live = liveTurns.get(turn.id);
      if (live) return live.log;
      const { status, ...answer } = stateOf(turn);
      if (status === 'running') throw runsElsewhere();
      return closedLog(Math.max(0, turn.eventCount - 1), { ...answer, status }).log;
    },
  };
}

export function foundTurn(turn: StoredTurn | undefined): StoredTurn {
  if (turn) return turn;
  throw new DomainError('not_found', 'turn_not_found', 'There is no such turn.');
}

function runsElsewhere(): DomainError {
  return new DomainError(
    'conflict',
    'turn_runs_elsewhere',
    'This turn runs in another process of the server. Ask for its state, or for its events once it has ended.',
  );
}

/** Whether it can still be decided. */
export function isWaiting({ status, waitingUntil }: StoredTurn): boolean {
  return isAwaiting(status) && waitingUntil !== undefined && waitingUntil > new Date();
}

function answerOf(turn: StoredTurn): TurnAnswer {
  return turn.answer ?? blankAnswer({ turnId: turn.id, threadId: turn.threadId });
}

function stateOf(turn: StoredTurn): TurnState {
  const answer = answerOf(turn);
  const { status } = turn;
  if (status === 'running') return { ...answer, status, tool_calls: [] };
  if (status === 'failed' && !answer.error) return { ...answer, status, tool_calls: [], error: interrupted };
  if (isAwaiting(status) && !isWaiting(turn)) {
    return { ...answer, status: 'stopped', tool_calls: [], error: expired };
  }
  return { ...answer, status };
}

const interrupted = {
  code: 'turn_interrupted',
  message: 'The server stopped while this turn ran. The thread shows what was done; send a message to go on.',
};

const expired = {
  code: 'turn_expired',
  message: 'This turn waited too long and can no longer be decided. Send a message to go on.',
};
