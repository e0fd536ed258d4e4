import type { Journal } from '../storage/journal.ts';
import type { Storage } from '../storage/storage.ts';

interface PendingReply {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Delays replies until the writes that they acknowledge are committed. All writes of one turn of the event loop share
 * one commit. When the commit fails, every reply that waited for it becomes an error.
 */
export class CommitQueue {
  readonly #storage: Storage;
  readonly #journal: Journal | undefined;
  #pending: PendingReply[] = [];
  #scheduled = false;

  /** Without a journal, no write is flushed to the disk explicitly. */
  constructor(storage: Storage, journal: Journal | undefined) {
    this.#storage = storage;
    this.#journal = journal;
  }

  /**
   * Resolves once all writes so far survive the end of this process, or with `journaled` a power loss. Rejects when the
   * commit or the flush fails.
   */
  async acknowledged(journaled: boolean): Promise<void> {
    if (this.#storage.inTransaction || this.#pending.length > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#pending.push({ resolve, reject });
        this.#schedule();
      });
    }
    if (journaled) await this.#journal?.sync();
  }

  /** Commits immediately. */
  flush(): void {
    this.#scheduled = false;
    const pending = this.#pending;
    this.#pending = [];
    const { inTransaction } = this.#storage;
    try {
      this.#storage.commit();
    } catch (error) {
      for (const { reject } of pending) reject(error);
      return;
    }
    if (inTransaction) this.#journal?.committed();
    for (const { resolve } of pending) resolve();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }
}
