import type { Storage } from './storage/storage.ts';

/**
 * Holds replies back until what they acknowledge is in the write-ahead log. All writes of one turn of the event loop share
 * one commit. When the commit fails, every reply that waited for it is told so instead.
 */
export class CommitQueue {
  readonly #storage: Storage;
  #waiting: ((error: unknown) => void)[] = [];
  #scheduled = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Calls back, with the error if there was one, once all that has been written is committed. */
  afterCommit(callback: (error: unknown) => void): void {
    if (!this.#storage.inTransaction && this.#waiting.length === 0) {
      callback(undefined);
      return;
    }
    this.#waiting.push(callback);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Commits at once. */
  flush(): void {
    this.#scheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    let failure: unknown;
    try {
      this.#storage.commit();
    } catch (error) {
      failure = error;
    }
    for (const callback of waiting) callback(failure);
  }
}
