import type { Journal } from '../storage/journal.ts';
import type { Storage } from '../storage/storage.ts';

interface PendingReply {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Delays replies until the writes that they acknowledge are committed. All writes of one turn of the event loop share
 * one commit. If it fails, all of their replies become errors.
 */
export class CommitQueue {
  readonly #storage: Storage;
  readonly #journal: Journal | undefined;
  #pending: PendingReply[] = [];
  #isScheduled = false;

  /** Without a journal, nothing is flushed to the disk in addition to SQLite's own flushes. */
  constructor(storage: Storage, journal: Journal | undefined) {
    this.#storage = storage;
    this.#journal = journal;
  }

  /**
   * Resolves when all writes so far survive the end of this process, and with `journaled` also a power loss. Rejects
   * when the commit or the flush fails.
   */
  async acknowledged(journaled: boolean): Promise<void> {
    if (this.#storage.isInTransaction || this.#pending.length > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#pending.push({ resolve, reject });
        this.#schedule();
      });
    }
    if (journaled) await this.#journal?.sync();
  }

  /** Commits immediately. */
  flush(): void {
    this.#isScheduled = false;
    const pending = this.#pending;
    this.#pending = [];
    const { isInTransaction } = this.#storage;
    try {
      this.#storage.commit();
    } catch (error) {
      for (const { reject } of pending) reject(error);
      return;
    }
    if (isInTransaction) this.#journal?.recordCommit();
    for (const { resolve } of pending) resolve();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.flush());
  }
}
