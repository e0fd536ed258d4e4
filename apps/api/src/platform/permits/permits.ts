import { setTimeout as sleep } from 'node:timers/promises';
import { shareOf } from '../processes/share-of.ts';
import { leaseMs, type PermitSlot, type PermitSlots } from './permit-slot-repository.ts';

/** Permits of a limit over all processes. */
export interface Permits {
  /**
   * Waits for a permit and returns the function that gives it back. Parties of this process take turns: a free permit goes
   * to the waiting one that has the fewest. Calls that a user waits for come first, but after three of them in a row comes
   * one of the others if any waits. Rejects with the reason of the signal.
   */
  take(party: string, signal?: AbortSignal, options?: { isWaitedFor?: boolean }): Promise<() => void>;
  /** Gives everything back. Later calls wait. */
  stop(): Promise<void>;
}

interface PermitTimes {
  /** How often slots are looked at while any is held: returned if unused, renewed before they end. */
  tickMs: number;
  /** How long an unused slot is kept for a next call. */
  idleMs: number;
  /** How long slots beyond the share of the process are kept while it has more to do than permits. */
  termMs: number;
  /** Between two looks for a free slot. A process that gave slots up for others looks later than those. */
  retryMs: number;
}

/** A program that always has a call that is waited for leaves every fourth permit to the others. */
const maxInRow = 3;

const defaultTimes: PermitTimes = { tickMs: 1_000, idleMs: 1_000, termMs: 5_000, retryMs: 400 };

interface HeldSlot extends PermitSlot {
  used: number;
  since: number;
  idleSince: number;
  /** When the command was sent that claimed or last renewed it. */
  renewedAt: number;
  /** It takes no more calls, and is given back when those in it have ended. */
  isLeaving: boolean;
}

/** The waiting calls of a party that a user waits for, or its others. */
interface Queue {
  party: string;
  isWaitedFor: boolean;
  calls: Waiting[];
}

interface Waiting {
  enter: (slot: HeldSlot) => void;
  fail: (error: unknown) => void;
}

/**
 * Permits in slots, which a process leases and uses again and again: most calls need no command, and none is sent while
 * nothing runs. While all processes have more to do than permits, each comes to its share within a few seconds, because
 * slots beyond it are given up after a term. The slots of a process that died are free when their leases end, or at once
 * on the same machine.
 *
 * @param processes the number of processes that share the limit
 * @param now milliseconds of a clock that is never set back
 */
export function createPermits(
  slots: Pick<PermitSlots, 'count' | 'claim' | 'renew' | 'release'>,
  processes: () => number,
  times: PermitTimes = defaultTimes,
  now: () => number = () => performance.now(),
): Permits {
  let held: HeldSlot[] = [];
  const waiting = new Map<string, Queue>();
  const taken = new Map<string, number>();
  const stopping = new AbortController();
  let claiming: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let gaveUpAt = -Infinity;
  /** How many permits went to calls that are waited for since one went to another call. */
  let inRow = 0;
  const share = () => shareOf(slots.count, processes());

  /** A process that was suspended, or could not renew, has lost its leases. Calls that run already cannot be undone. */
  function forgetEnded(): void {
    held = held.filter(({ renewedAt }) => now() - renewedAt <= leaseMs);
  }

  /** A slot with a free permit: the fullest, so that others become unused. */
  function freeSlot(): HeldSlot | undefined {
    forgetEnded();
    const free = held.filter(({ used, size, isLeaving }) => used < size && !isLeaving);
    return free.toSorted((one, other) => other.used - one.used)[0];
  }

  function nextQueue(): Queue | undefined {
    const queues = [...waiting.values()];
    const first = queues.filter(({ isWaitedFor }) => isWaitedFor === inRow < maxInRow);
    let chosen: Queue | undefined;
    for (const queue of first.length > 0 ? first : queues) {
      if (chosen === undefined || (taken.get(queue.party) ?? 0) < (taken.get(chosen.party) ?? 0)) chosen = queue;
    }
    return chosen;
  }

  function serve(): void {
    for (let queue = nextQueue(); queue !== undefined; queue = nextQueue()) {
      const slot = freeSlot();
      if (slot === undefined) {
        claim();
        return;
      }
      const { enter } = queue.calls.shift()!;
      inRow = queue.isWaitedFor ? inRow + 1 : 0;
      // At the end, so that parties with as many permits take turns.
      waiting.delete(keyOf(queue));
      if (queue.calls.length > 0) waiting.set(keyOf(queue), queue);
      enter(slot);
    }
  }

  function enterSlot(party: string, slot: HeldSlot): () => void {
    let isOver = false;
    slot.used += 1;
    taken.set(party, (taken.get(party) ?? 0) + 1);
    return () => {
      if (isOver) return;
      isOver = true;
      slot.used -= 1;
      slot.idleSince = now();
      const left = taken.get(party)! - 1;
      if (left > 0) taken.set(party, left);
      else taken.delete(party);
      if (slot.isLeaving && slot.used === 0) void giveBack(slot);
      serve();
    };
  }

  function claim(): void {
    claiming ??= claimWhileNeeded().finally(() => {
      claiming = undefined;
      if (waiting.size > 0 && !stopping.signal.aborted) serve();
    });
  }

  /** Fails all that wait if the database does: their work is tried again. */
  async function claimWhileNeeded(): Promise<void> {
    while (waiting.size > 0 && freeSlot() === undefined && !stopping.signal.aborted) {
      const isRestrained = now() - gaveUpAt < times.retryMs * 2 && held.length >= share();
      const begun = now();
      try {
        const slot = isRestrained ? undefined : await slots.claim();
        if (slot !== undefined) {
          // The former lease on it has ended.
          held = held.filter(({ id }) => id !== slot.id);
          held.push({ ...slot, used: 0, since: now(), idleSince: now(), renewedAt: begun, isLeaving: false });
          timer ??= setInterval(tick, times.tickMs).unref();
          return;
        }
      } catch (error) {
        for (const { fail } of [...waiting.values()].flatMap(({ calls }) => calls)) fail(error);
        return;
      }
      await sleep(times.retryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  async function giveBack(slot: HeldSlot): Promise<void> {
    // It may have been claimed again.
    if (!held.includes(slot)) return;
    held = held.filter((other) => other !== slot);
    // If it fails, the lease ends by itself.
    await slots.release(slot).catch(() => undefined);
  }

  function tick(): void {
    // Before any is renewed: the timer can be the first to run after a pause.
    forgetEnded();
    if (held.length === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    for (const slot of held) {
      if (slot.used === 0 && now() - slot.idleSince >= times.idleMs) void giveBack(slot);
    }
    yieldBeyondShare();
    if (held.some(({ renewedAt }) => now() - renewedAt > leaseMs / 4)) {
      // After a failure it is tried again at the next tick, and the slots are given up when their time is over.
      renewHeld().catch(() => undefined);
    }
  }

  async function renewHeld(): Promise<void> {
    const begun = now();
    const asked = held;
    const own = new Set(await slots.renew(asked.map(({ id }) => id)));
    for (const slot of asked) if (own.has(slot.id)) slot.renewedAt = Math.max(slot.renewedAt, begun);
    held = held.filter((slot) => own.has(slot.id) || !asked.includes(slot));
  }

  /** Others may have waited for long: a slot beyond the share goes back, and is taken again if nobody wants it. */
  function yieldBeyondShare(): void {
    const staying = held.filter(({ isLeaving }) => !isLeaving);
    if (waiting.size === 0 || processes() < 2 || staying.length <= share()) return;
    const over = staying.filter(({ since }) => now() - since >= times.termMs).slice(0, staying.length - share());
    for (const slot of over) {
      slot.isLeaving = true;
      gaveUpAt = now();
      if (slot.used === 0) void giveBack(slot);
    }
  }

  return {
    take(party, signal, { isWaitedFor = false } = {}) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const key = keyOf({ party, isWaitedFor });
        const leave = () => {
          const queue = waiting.get(key);
          if (queue === undefined) return;
          queue.calls = queue.calls.filter((other) => other !== own);
          if (queue.calls.length === 0) waiting.delete(key);
        };
        const onAbort = () => own.fail(signal!.reason);
        const own: Waiting = {
          enter(slot) {
            signal?.removeEventListener('abort', onAbort);
            resolve(enterSlot(party, slot));
          },
          fail(error) {
            signal?.removeEventListener('abort', onAbort);
            leave();
            reject(error);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const queue = waiting.get(key) ?? { party, isWaitedFor, calls: [] };
        queue.calls.push(own);
        waiting.set(key, queue);
        serve();
      });
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await Promise.all(held.map(giveBack));
    },
  };
}

function keyOf({ party, isWaitedFor }: Pick<Queue, 'party' | 'isWaitedFor'>): string {
  return `${isWaitedFor ? 'waited for' : 'other'} ${party}`;
}
