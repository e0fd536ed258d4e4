import type { PendingTurn, TurnOwner } from './pending-turn.ts';

/** `expired` means that the turn existed but ran out of time. For anyone but its owner every turn is `missing`. */
export type TurnLookup =
  | { readonly state: 'waiting'; readonly turn: PendingTurn }
  | { readonly state: 'expired' }
  | { readonly state: 'missing' };

/** Stores pending turns. Every implementation passes the suite in `testing/turn-store-suite.ts`. */
export interface TurnStore {
  /** Stores a copy. It replaces a turn with the same id and restarts its time to live. */
  save(turn: PendingTurn): Promise<void>;
  /** Reads a turn without removing it. */
  find(turnId: string, owner: TurnOwner): Promise<TurnLookup>;
  /**
   * Removes and returns a turn. Atomic: of any number of concurrent callers one gets the turn, the others get `missing`.
   * A call with another owner returns `missing` and removes nothing.
   */
  take(turnId: string, owner: TurnOwner): Promise<TurnLookup>;
}
