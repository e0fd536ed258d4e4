import { DomainError, type TurnAnswer } from '@docwright/contract';
import { type RunningProgress, type TurnFencingToken, TurnEventLog } from '../../turns/index.ts';

/** A turn in the memory of this process: its events, and its run if it runs here. */
export interface LiveTurn {
  readonly turnId: string;
  readonly log: TurnEventLog;
  /** Set while the turn runs in this process. */
  running?: {
    readonly organizationId: string;
    /** Stores its events so far, for other processes. */
    readonly store: () => Promise<void>;
    readonly stop: AbortController;
    /** Whether another process can continue the turn. */
    readonly canBeHandedOver: boolean;
    /** The token of the run's lease. */
    readonly token: TurnFencingToken;
    readonly progress: RunningProgress;
    /** The id of the last event before this run. */
    readonly after: number;
    readonly answer: Promise<TurnAnswer>;
    /** Resolves when `answer` settles, whether it succeeded or not. */
    readonly finished: Promise<unknown>;
  };
  /** When it can be dropped, unless it runs. */
  readonly keepUntil: number;
}

/** The turns in the memory of this process, of bounded size: the oldest that do not run are dropped first. */
export type LiveTurns = ReturnType<typeof createLiveTurns>;

/** The reason of a run that ended because its process stops. */
export const handedOver = new DomainError(
  'not_ready',
  'not_ready',
  'This server stops, and another one continues the turn. Follow its events, or look at its thread.',
);

const maxCharacters = 64 * 1024 * 1024;
const keepMs = 10 * 60_000;
/** The shortest time between two cleanups, since each visits every turn. */
const cleanupIntervalMs = 1_000;

export function createLiveTurns() {
  const turns = new Map<string, LiveTurn>();
  let lastCleanup = 0;

  function dropOldTurns(): void {
    const now = Date.now();
    if (now - lastCleanup < cleanupIntervalMs) return;
    lastCleanup = now;
    let characters = 0;
    for (const turn of turns.values()) characters += turn.log.size;
    for (const [turnId, turn] of turns) {
      if (turn.running || (turn.keepUntil > now && characters <= maxCharacters)) continue;
      characters -= turn.log.size;
      turn.log.close();
      turns.delete(turnId);
    }
  }

  return {
    get: (turnId: string): LiveTurn | undefined => turns.get(turnId),
    /** Returns the known turn, or creates one whose log starts after `eventsBefore`. */
    open(turnId: string, eventsBefore: number): LiveTurn {
      const known = turns.get(turnId);
      if (known) return known;
      dropOldTurns();
      const turn = { turnId, log: new TurnEventLog(eventsBefore), keepUntil: Date.now() + keepMs };
      turns.set(turnId, turn);
      return turn;
    },
    /** Drops a turn that another process or another run continues. */
    forget(turnId: string): void {
      turns.get(turnId)?.log.close();
      turns.delete(turnId);
    },
    running: (): LiveTurn[] => [...turns.values()].filter((turn) => turn.running),
    /** Ends every run of this process, for an orderly shutdown: another process continues those that can be handed over. */
    async stopAll(): Promise<void> {
      const running = [...turns.values()].flatMap((turn) => turn.running ?? []);
      for (const { stop, canBeHandedOver } of running) stop.abort(canBeHandedOver ? handedOver : undefined);
      await Promise.allSettled(running.map(({ finished }) => finished));
      for (const turn of turns.values()) turn.log.close();
    },
  };
}
