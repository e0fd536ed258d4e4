import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

type Integrity = { state: 'checking' | 'sound' } | { state: 'damaged'; problem: string };

/** Pause between two tables, in which reads and writes run. */
const pauseMs = 200;
const maxProblemLength = 300;

/**
 * Checks the file for damage, one table at a time: for a short time at the start, then in the background, then once a
 * day. SQLite's quick_check reads every page and checks references, but does not compare an index with its table.
 */
export class IntegrityCheck {
  readonly #sqlite: DatabaseSync;
  #state: Integrity = { state: 'checking' };
  #unchecked: string[];

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    this.#unchecked = this.#tables();
  }

  get result(): Integrity {
    return this.#state;
  }

  /** Records damage found during a read, a write or a check. The state stays damaged until the file is replaced. */
  recordProblem(problem: string): void {
    this.#state = { state: 'damaged', problem: problem.slice(0, maxProblemLength) };
  }

  /** Checks tables for about this long, and at least one. */
  checkFor(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    while (this.#step() && performance.now() < until);
  }

  /** Checks the remaining tables, then all tables again after each `intervalMs`, until the signal aborts. */
  async checkInBackground(signal: AbortSignal, intervalMs: number): Promise<void> {
    while (!signal.aborted && this.#state.state !== 'damaged') {
      const hasMore = this.#step();
      if (!hasMore) this.#unchecked = this.#tables();
      await wait(hasMore ? pauseMs : intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Checks one table. False if no table was left, or the file is damaged. */
  #step(): boolean {
    const table = this.#unchecked.pop();
    if (table === undefined || this.#state.state === 'damaged') {
      if (this.#state.state === 'checking') this.#state = { state: 'sound' };
      return false;
    }
    const problem = this.#problemIn(table);
    if (problem !== undefined) this.recordProblem(problem);
    return problem === undefined;
  }

  #problemIn(table: string): string | undefined {
    try {
      const [row] = this.#sqlite.prepare(`PRAGMA quick_check('${table.replaceAll("'", "''")}')`).all();
      const answer = String(Object.values(row ?? {})[0] ?? 'ok');
      return answer === 'ok' ? undefined : answer;
    } catch (error) {
      return this.#isDropped(table) ? undefined : (error as Error).message;
    }
  }

  /** Whether the table was dropped since it was listed: a collection or index was removed, and nothing is damaged. */
  #isDropped(table: string): boolean {
    try {
      return !this.#tables().includes(table);
    } catch {
      return false;
    }
  }

  #tables(): string[] {
    // Virtual tables have no pages, but their shadow tables do.
    const rows = this.#sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
    return rows.map(({ name }) => String(name));
  }
}
