import { setTimeout as sleep } from 'node:timers/promises';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import { beginTurn } from '../../platform/leases/claims-in-turn.ts';
import { isAwaiting, isPending, type ParkedTurns, type StoredTurn } from '../turns/index.ts';
import type { ThreadOwner } from '../threads/index.ts';
import type { ClaimedRun } from './claim-repository.ts';
import type { AgentProgress, RunningAgent } from './run-agent.ts';
import type { ParkedRun, ParkedRunRepository } from './parked-run-repository.ts';

interface ParkedRunDependencies {
  runs: ParkedRunRepository;
  chat: ParkedTurns;
  wake: () => Promise<void>;
  onEnded: (id: string) => Promise<void>;
  log: { error(fields: object, message: string): void };
}

/** Parked runs, whose turn waits for a decision in the inbox. */
export type ParkedRuns = ReturnType<typeof createParkedRuns>;

const pollMs = 100;
/** What is left after so long is looked at next time. */
const tidyMs = 5_000;

export function createParkedRuns({ runs, chat, wake, onEnded, log }: ParkedRunDependencies) {
  const aside = createSetAside({ log, failure: 'a run that waits for a decision could not be looked at' });
  /** The last run that was looked at; undefined after the last of all. */
  let lookedAt: string | undefined;

  const ownerOf = (run: Pick<ParkedRun, 'organizationId' | 'documentId' | 'requestedBy'>): ThreadOwner => ({
    organizationId: run.organizationId,
    documentId: run.documentId,
    userId: run.requestedBy,
  });

  async function requeue(turnId: string): Promise<void> {
    if (await runs.requeue(turnId)) await wake();
  }

  async function waitForTurn(owner: ThreadOwner, turnId: string, signal: AbortSignal): Promise<AgentProgress> {
    const turns = chat.turnsOf(owner);
    for (;;) {
      const turn = await turns.get(turnId);
      if (turn === undefined) return { rounds: [], text: '', error: turnDeleted };
      if (turn.status !== 'running') return progressOf(turn);
      if (signal.aborted) {
        chat.stopTurn(turnId);
        throw signal.reason;
      }
      if (turn.isOrphaned) await chat.resumeOrphan(owner, turn);
      await sleep(pollMs);
    }
  }

  async function settle(run: ParkedRun): Promise<void> {
    const turn = run.parkedTurn === undefined ? undefined : await chat.turnsOf(ownerOf(run)).get(run.parkedTurn);
    if (turn?.status === 'running') return requeue(turn.id);
    if (turn && isPending(turn)) return;
    const isExpired = turn !== undefined && isAwaiting(turn.status);
    const ended = isExpired
      ? { state: 'failed' as const, error: expired }
      : { state: 'cancelled' as const, error: withdrawn };
    if (await runs.end(run.id, ended.state, ended.error)) await onEnded(run.id);
  }

  return {
    /** Requeues the run of a decided turn. */
    requeue,
    /** Resumes the turn in a worker; another worker might have started it. */
    resume(run: ClaimedRun, turnId: string, signal: AbortSignal): RunningAgent {
      const ended = waitForTurn(ownerOf(run), turnId, signal);
      return { progress: () => ({ rounds: [], text: '' }), ended, abort: async () => undefined };
    },
    /** Withdraws the pending calls; false if they were just decided. */
    async end(run: Pick<ParkedRun, 'organizationId' | 'documentId' | 'requestedBy' | 'id'>): Promise<boolean> {
      const stored = await runs.get(run.id);
      if (stored?.parkedTurn === undefined) return true;
      const owner = ownerOf(run);
      const turn = await chat.turnsOf(owner).get(stored.parkedTurn);
      if (turn?.status === 'running') return false;
      if (turn && isAwaiting(turn.status) && !(await chat.endPendingTurn(owner, turn, 'stopped'))) return false;
      if (await runs.end(run.id, 'cancelled', withdrawn)) await onEnded(run.id);
      return true;
    },
    /** Repairs runs whose process died between two writes, and ends expired ones. Of many, the next call looks at the rest. */
    async tidy(): Promise<void> {
      const failed = new Set(aside.ids());
      for (const isOver = beginTurn(tidyMs); !isOver();) {
        const { runs: waiting, last } = await runs.waiting(lookedAt);
        for (const run of waiting) if (!failed.has(run.id)) await aside.work(run.id, () => settle(run));
        lookedAt = last;
        if (last === undefined) return;
      }
    },
    /** The turn of an earlier attempt that is pending or decided. */
    async openTurn(run: ClaimedRun): Promise<string | undefined> {
      if (run.parkedTurn !== undefined) return run.parkedTurn;
      const last = run.formerTurnIds.at(-1);
      const turn = last === undefined ? undefined : await chat.turnsOf(ownerOf(run)).get(last);
      const isOpen = turn?.status === 'awaiting_approval' || (turn !== undefined && turn.decided.length > 0);
      return isOpen ? last : undefined;
    },
  };
}

function progressOf(turn: StoredTurn): AgentProgress {
  const rounds = turn.answer?.executed_rounds ?? [];
  const text = turn.answer?.text ?? '';
  if (isAwaiting(turn.status)) return { rounds, text, parkedTurn: turn.id };
  if (turn.status === 'completed') return { rounds, text };
  return {
    rounds,
    text,
    error: turn.answer?.error ?? { code: `turn_${turn.status}`, message: `The turn is ${turn.status}.` },
  };
}

const turnDeleted = { code: 'turn_not_found', message: 'The conversation of this run was deleted.' };
const expired = {
  code: 'approval_expired',
  message: 'A call waited too long for a decision (PARKED_TTL_SECONDS). Run it again.',
};
const withdrawn = { code: 'approval_withdrawn', message: 'The pending call was withdrawn before a decision.' };
