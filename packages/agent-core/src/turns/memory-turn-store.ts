import type { PendingTurn, TurnOwner } from './pending-turn.ts';
import type { TurnLookup, TurnStore } from './turn-store.ts';

interface MemoryTurnStoreOptions {
  /** Time in milliseconds after which a pending turn expires. One day by default. */
  readonly ttlMs?: number;
  /** Maximum number of pending turns. At the limit the oldest turn expires. */
  readonly maxTurns?: number;
  /** The current time in milliseconds. `Date.now` by default. */
  readonly now?: () => number;
}

type Entry =
  | { readonly owner: TurnOwner; readonly expiresAt: number; readonly json: string }
  /** An expired turn; remembered for another `ttlMs`, so that its owner learns that it expired. */
  | { readonly owner: TurnOwner; readonly forgetAt: number };

/**
 * Pending turns in memory. They are stored as JSON, so that values JSON cannot represent are lost as in a database.
 *
 * @example
 * import { createMemoryTurnStore, type PendingTurn } from '@docwright/agent-core';
 *
 * declare const turn: PendingTurn;
 * const store = createMemoryTurnStore({ ttlMs: 300_000 });
 * await store.save(turn);
 * (await store.take(turn.turnId, turn.owner)).state; // 'waiting'; a second take gets 'missing'
 */
export function createMemoryTurnStore(options: MemoryTurnStoreOptions = {}): TurnStore {
  const { ttlMs = 24 * 60 * 60 * 1000, maxTurns = 10_000, now = Date.now } = options;
  /** In the order of saving, which is the order of expiry. */
  const entries = new Map<string, Entry>();

  function expire(turnId: string, { owner }: Entry): void {
    entries.set(turnId, { owner, forgetAt: now() + ttlMs });
  }

  function makeRoom(): void {
    let waiting = 0;
    for (const [turnId, entry] of entries) {
      if ('forgetAt' in entry && entry.forgetAt <= now()) entries.delete(turnId);
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
