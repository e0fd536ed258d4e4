import type { Keeper } from './kept-record-repository.ts';
import type { WriteOrigin } from './write-origin.ts';
import type { WrittenKind } from './turn-write-model.ts';

/** What is put back: `before` is as it was noted, null where the thing was not there. */
export interface Restoration {
  id: string;
  before: unknown;
  /** How many changes the thing may have seen; with others it is left alone. */
  changes: number;
  /** How many it had seen before: it counts on from there, so that the turn before can be undone next. */
  base: number;
  /** The restoration's idempotency key. */
  origin: WriteOrigin;
  userId: string;
}

/**
 * One kind of thing of one organization, as far as undo goes. The thing itself says which calls wrote it, in the same
 * record and the same update as the write.
 */
export interface UndoableThings extends Keeper {
  /**
   * What of other people stands in the way of putting it back, in words. `isTakenBack` tells things that the same undo
   * puts back.
   */
  obstacles(restoration: Restoration, isTakenBack: IsTakenBack): Promise<string[]>;
  /** False where it has changed since it was checked. The same again changes nothing and is true. */
  restore(restoration: Restoration): Promise<boolean>;
}

export type IsTakenBack = (kind: WrittenKind, id: string) => boolean;
