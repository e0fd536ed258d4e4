import { open, type FileHandle } from 'node:fs/promises';

const flushIntervalMs = 100;

/**
 * Flushes commits from the operating system's cache to the disk: a tenth of a second after a commit, as MongoDB's
 * journal does, or immediately for a write with `j: true`. Does not block the event loop.
 */
export class Journal {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #file: FileHandle | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** Takes the path of SQLite's write-ahead log. */
  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** Records that a transaction was committed. */
  recordCommit(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.sync().catch(this.#onFailure);
    }, flushIntervalMs);
  }

  /** Resolves when all transactions committed so far are on the disk. */
  async sync(): Promise<void> {
    if (!this.#running) return this.#startFlush();
    // The running flush can have started before the last commit.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#startFlush();
      });
    return this.#next;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#next?.catch(this.#onFailure);
    await this.#running?.catch(this.#onFailure);
    await this.#file?.close();
  }

  #startFlush(): Promise<void> {
    this.#running = this.#flush().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #flush(): Promise<void> {
    this.#file ??= await open(this.#path, 'r+');
    await this.#file.datasync();
  }
}
