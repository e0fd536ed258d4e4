import type { WrittenRecords } from './written-record-repository.ts';
import type { WriteOrigin } from './write-origin.ts';
import type { WrittenKind } from './turn-write-model.ts';

/** `reviewed`: what a user has verified or edited since. */
export type KeptResults = 'reviewed' | 'verified' | 'nothing';

/** The state to restore: `before` is the noted state, null if the record did not exist. */
export interface Restoration {
  id: string;
  before: unknown;
  /** The expected number of changes; a record with another number is left alone. */
  changes: number;
  /** The number of changes before: the count continues from it, so that the previous turn can be undone next. */
  base: number;
  /** The restoration's idempotency key. */
  origin: WriteOrigin;
  userId: string;
  /** Which created results stay. Default: nothing. */
  keeps?: KeptResults;
}

/**
 * The records of one kind in one organization, for undo. Each record names the calls that wrote it, in the same update as
 * the write.
 */
export interface UndoableRecords extends WrittenRecords {
  /**
   * Why the record cannot be restored, as messages: records of others that depend on it. `isUndone` reports what the same
   * undo restores.
   */
  obstacles(restoration: Restoration, isUndone: IsUndone): Promise<string[]>;
  /** False if the record changed since it was checked. Idempotent: the same restoration again is true. */
  restore(restoration: Restoration): Promise<boolean>;
  /** What follows from restored records, once all records of the undo are restored and none is reverted any more. */
  finish?(): Promise<void>;
}

export type IsUndone = (kind: WrittenKind, id: string) => boolean;
