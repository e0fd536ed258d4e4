import type { TurnAnswer } from '@docwright/contract';
import { type RunningProgress, type TurnFencingToken, TurnEventLog } from '../turns/index.ts';

/** A turn as this process knows it: its events, and how to stop it while it runs here. */
export interface LiveTurn {
  readonly turnId: string;
  readonly log: TurnEventLog;
  /** Set while the turn runs in this process. */
  running?: {
    readonly stop: AbortController;
    /** Of the lease under which it runs. */
    readonly token: TurnFencingToken;
    readonly progress: RunningProgress;
    /** The id of the last event before this run. */
    readonly after: number;
    readonly answer: Promise<TurnAnswer>;
    /** Resolves when `answer` settles, whether it succeeded or not. */
    readonly finished: Promise<unknown>;
  };
  /** When it may be forgotten, once it does not run. */
  readonly keepUntil: number;
}

/** The live turns of this process, bounded: those that ended first are forgotten first. */
export interface LiveTurns {
  get(turnId: string): LiveTurn | undefined;
  /** The known one, or a new one whose log starts after `eventsBefore`. */
  open(turnId: string, eventsBefore: number): LiveTurn;
  /** Drops a turn that goes on elsewhere, or anew. */
  forget(turnId: string): void;
  running(): LiveTurn[];
  /** Stops every running turn and waits for their ends, for an orderly shutdown. */
  stopAll(): Promise<void>;
}

const charactersKept = 64 * 1024 * 1024;
const keepMs = 10 * 60_000;
/** Turns that may be forgotten are looked for no more often: there may be thousands. */
const makeRoomEveryMs = 1_000;

export function createLiveTurns(): LiveTurns {
  const turns = new Map<string, LiveTurn>();
  let lookedAt = 0;

  function makeRoom(): void {
    const now = Date.now();
    if (now - lookedAt < makeRoomEveryMs) return;
    lookedAt = now;
    let kept = 0;
    for (const turn of turns.values()) kept += turn.log.size;
    for (const [turnId, turn] of turns) {
      if (turn.running || (turn.keepUntil > now && kept <= charactersKept)) continue;
      kept -= turn.log.size;
      turn.log.close();
      turns.delete(turnId);
    }
  }

  return {
    get: (turnId) => turns.get(turnId),
    open(turnId, eventsBefore) {
      const known = turns.get(turnId);
      if (known) return known;
      makeRoom();
      const turn = { turnId, log: new TurnEventLog(eventsBefore), keepUntil: Date.now() + keepMs };
      turns.set(turnId, turn);
      return turn;
    },
    forget(turnId) {
      turns.get(turnId)?.log.close();
      turns.delete(turnId);
    },
    running: () => [...turns.values()].filter((turn) => turn.running),
    async stopAll() {
      const running = [...turns.values()].flatMap((turn) => turn.running ?? []);
      for (const { stop } of running) stop.abort();
      await Promise.allSettled(running.map(({ finished }) => finished));
      for (const turn of turns.values()) turn.log.close();
    },
  };
}
