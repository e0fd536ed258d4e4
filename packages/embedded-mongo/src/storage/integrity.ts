import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

export type Integrity = { state: 'checking' | 'sound' } | { state: 'damaged'; problem: string };

/** Between two tables, so that those who read and write come first. */
const restMs = 200;
const maxProblemLength = 300;

/**
 * Looks for damage in the file, a table at a time: at a start for as long as nobody minds, then beside the work, then once a day.
 * SQLite's quick_check reads every page and compares what refers to what, but no index with its table.
 */
export class IntegrityCheck {
  readonly #sqlite: DatabaseSync;
  #state: Integrity = { state: 'checking' };
  #left: string[];

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    this.#left = this.#tables();
  }

  get result(): Integrity {
    return this.#state;
  }

  /** What SQLite itself has met while it served: it stays damaged until the file is replaced. */
  found(problem: string): void {
    this.#state = { state: 'damaged', problem: problem.slice(0, maxProblemLength) };
  }

  /** Checks for this long at most, and at least one table. */
  checkFor(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    while (this.#step() && performance.now() < until);
  }

  /** Checks what is left, then all of it again after each `intervalMs`, until the signal. */
  async checkInBackground(signal: AbortSignal, intervalMs: number): Promise<void> {
    while (!signal.aborted && this.#state.state !== 'damaged') {
      const goesOn = this.#step();
      if (!goesOn) this.#left = this.#tables();
      await wait(goesOn ? restMs : intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Whether something is left to check. */
  #step(): boolean {
    const table = this.#left.pop();
    if (table === undefined || this.#state.state === 'damaged') {
      if (this.#state.state === 'checking') this.#state = { state: 'sound' };
      return false;
    }
    const problem = this.#problemIn(table);
    if (problem !== undefined) this.found(problem);
    return problem === undefined;
  }

  #problemIn(table: string): string | undefined {
    try {
      const [row] = this.#sqlite.prepare(`PRAGMA quick_check('${table.replaceAll("'", "''")}')`).all();
      const answer = String(Object.values(row ?? {})[0] ?? 'ok');
      // A table that was dropped since is no damage.
      return answer === 'ok' ? undefined : answer;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #tables(): string[] {
    // Virtual tables have no pages; their own tables have.
    const rows = this.#sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
    return rows.map(({ name }) => String(name));
  }
}
