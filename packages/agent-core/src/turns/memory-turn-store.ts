import type { PendingTurn, TurnOwner } from './pending-turn.ts';
import type { TurnLookup, TurnStore } from './turn-store.ts';

interface MemoryTurnStoreOptions {
  /** How long a turn waits. */
  readonly ttlMs?: number;
  /** How many turns wait at most; the oldest makes room and counts as expired. */
  readonly maxTurns?: number;
  /** Milliseconds, as `Date.now`. */
  readonly now?: () => number;
}

type Entry =
  | { readonly owner: TurnOwner; readonly expiresAt: number; readonly json: string }
  /** Ran out of time; remembered for as long again, so that its owner learns why it is gone. */
  | { readonly owner: TurnOwner; readonly forgetAt: number };

/** Waiting turns of one process, kept as JSON: what a store on disk would lose is lost here too. Gone with the process. */
export function createMemoryTurnStore(options: MemoryTurnStoreOptions = {}): TurnStore {
  const { ttlMs = 24 * 60 * 60 * 1000, maxTurns = 10_000, now = Date.now } = options;
  /** In the order they were saved, which is the order they expire in. */
  const entries = new Map<string, Entry>();

  function expire(turnId: string, { owner }: Entry): void {
    entries.delete(turnId);
    entries.set(turnId, { owner, forgetAt: now() + ttlMs });
  }

  function makeRoom(): void {
    let waiting = 0;
    for (const [turnId, entry] of entries) {
      if ('forgetAt' in entry ? entry.forgetAt <= now() : false) entries.delete(turnId);
      else if ('json' in entry) waiting++;
    }
    for (const [turnId, entry] of entries) {
      if (waiting < maxTurns) break;
      if (!('json' in entry)) continue;
      expire(turnId, entry);
      waiting--;
    }
    for (const turnId of entries.keys()) {
      if (entries.size < 2 * maxTurns) break;
      entries.delete(turnId);
    }
  }

  function lookUp(turnId: string, owner: TurnOwner): TurnLookup {
    const entry = entries.get(turnId);
    if (entry === undefined || !isSame(entry.owner, owner)) return { state: 'missing' };
    if (!('json' in entry)) return { state: 'expired' };
    if (entry.expiresAt > now()) return { state: 'waiting', turn: JSON.parse(entry.json) as PendingTurn };
    expire(turnId, entry);
    return { state: 'expired' };
  }

  return {
    async save(turn) {
      entries.delete(turn.turnId);
      makeRoom();
      entries.set(turn.turnId, { owner: turn.owner, expiresAt: now() + ttlMs, json: JSON.stringify(turn) });
    },
    async find(turnId, owner) {
      return lookUp(turnId, owner);
    },
    async take(turnId, owner) {
      const found = lookUp(turnId, owner);
      if (found.state === 'waiting') entries.delete(turnId);
      return found;
    },
  };
}

function isSame(one: TurnOwner, other: TurnOwner): boolean {
  return (
    one.organizationId === other.organizationId && one.documentId === other.documentId && one.userId === other.userId
  );
}
