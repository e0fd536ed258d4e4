import type { Journal } from './storage/journal.ts';
import type { Storage } from './storage/storage.ts';

interface Waiting {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Holds replies back until what they acknowledge is committed. All writes of one turn of the event loop share one commit.
 * When the commit fails, everybody who waited for it is told so.
 */
export class CommitQueue {
  readonly #storage: Storage;
  readonly #journal: Journal | undefined;
  #waiting: Waiting[] = [];
  #scheduled = false;

  /** Without a journal nothing is brought to the disk in particular. */
  constructor(storage: Storage, journal: Journal | undefined) {
    this.#storage = storage;
    this.#journal = journal;
  }

  /**
   * Resolves once all that has been written survives the end of this process, or with `journaled` the loss of power.
   * Rejects when that could not be had.
   */
  async acknowledged(journaled: boolean): Promise<void> {
    if (this.#storage.inTransaction || this.#waiting.length > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
        this.#schedule();
      });
    }
    if (journaled) await this.#journal?.sync();
  }

  /** Commits at once. */
  flush(): void {
    this.#scheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    const { inTransaction } = this.#storage;
    try {
      this.#storage.commit();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    if (inTransaction) this.#journal?.committed();
    for (const { resolve } of waiting) resolve();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }
}
