import type { PendingTurn, TurnOwner } from './pending-turn.ts';

/** `expired` tells a turn that ran out of time from one that never was; to a stranger both are `missing`. */
export type TurnLookup =
  | { readonly state: 'waiting'; readonly turn: PendingTurn }
  | { readonly state: 'expired' }
  | { readonly state: 'missing' };

/** Where waiting turns stand. Every implementation passes the suite of `testing/turn-store-suite.ts`. */
export interface TurnStore {
  /** Keeps a copy; a turn of the same id is replaced, its time starts again. */
  save(turn: PendingTurn): Promise<void>;
  /** Looks without taking. */
  find(turnId: string, owner: TurnOwner): Promise<TurnLookup>;
  /**
   * Atomic: of any number of takers one gets the turn, the others find it missing. With another owner it is
   * as if it were not there, and it stays.
   */
  take(turnId: string, owner: TurnOwner): Promise<TurnLookup>;
}
