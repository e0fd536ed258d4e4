import { spawn } from 'node:child_process';
import type { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

type Integrity = { state: 'checking' | 'sound' } | { state: 'damaged'; problem: string };

/**
 * The pause between two tables, in which reads and writes run. It is longer after a large table, by its share of the check's
 * time, so that checks take about a hundredth of a processor.
 */
const defaultPause = { ms: 200, share: 60 };
const longestPauseMs = 300_000;
const maxProblemLength = 300;
/** Pages of the log after which SQLite moves it into the file. */
export const pagesPerCheckpoint = 2000;

/** Checks one table of a file that nobody writes meanwhile; the file's log is not read. */
const script = `
  require('node:os').setPriority(19);
  const { DatabaseSync } = require('node:sqlite');
  const [, file, table] = process.argv;
  const sqlite = new DatabaseSync(new URL(file));
  const [row] = sqlite.prepare("PRAGMA quick_check('" + table.replaceAll("'", "''") + "')").all();
  process.stdout.write(JSON.stringify({ answer: String(Object.values(row ?? {})[0] ?? 'ok') }));`;

/** Checking a table of so few pages below its first one takes a few milliseconds, unless its rows are very large. */
const fewPages = 100;

/**
 * Checks the file for damage, one table at a time: small ones for a short time at the start, then all in the background, then once a
 * day. SQLite's quick_check reads every page and checks references, but does not compare an index with its table. A
 * large table is checked by another process, because this one does nothing else meanwhile.
 */
export class IntegrityCheck {
  readonly #sqlite: DatabaseSync;
  readonly #file: string | undefined;
  readonly #pause: typeof defaultPause;
  #state: Integrity = { state: 'checking' };
  #unchecked: string[];
  /** The check of a large table that runs: the file must not change meanwhile. */
  #outside: AbortController | undefined;

  /** @param file the path of the file; without one, all is in memory */
  constructor(sqlite: DatabaseSync, file?: string, pause = defaultPause) {
    this.#sqlite = sqlite;
    this.#file = file === ':memory:' ? undefined : file;
    this.#pause = pause;
    this.#unchecked = this.#tables();
  }

  get result(): Integrity {
    return this.#state;
  }

  /** Records damage found during a read, a write or a check. The state stays damaged until the file is replaced. */
  recordProblem(problem: string): void {
    this.#state = { state: 'damaged', problem: problem.slice(0, maxProblemLength) };
  }

  /** Checks small tables for about this long, and at least one. */
  checkFor(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    const large: string[] = [];
    while (this.#step(large) && performance.now() < until);
    this.#unchecked.push(...large);
    if (large.length === 0) this.#endRound();
  }

  /** Checks the remaining tables, then all tables again after each `intervalMs`, until the signal aborts. */
  async checkInBackground(signal: AbortSignal, intervalMs: number): Promise<void> {
    const interrupt = () => this.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    while (!signal.aborted && this.#state.state !== 'damaged') {
      const begun = performance.now();
      const large: string[] = [];
      const hasMore = this.#step(large);
      for (const table of large) if (!(await this.#checkLarge(table))) this.#unchecked.unshift(table);
      const { ms, share } = this.#pause;
      const pause = Math.min(Math.max(ms, (performance.now() - begun) * share), longestPauseMs);
      if (!hasMore) {
        this.#endRound();
        this.#unchecked = this.#tables();
      }
      if (signal.aborted) return;
      await wait(hasMore ? pause : intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Ends the check of a large table, which is repeated: the file is about to change. */
  interrupt(): void {
    this.#outside?.abort();
    this.#endOutside();
  }

  #endRound(): void {
    if (this.#unchecked.length === 0 && this.#state.state === 'checking') this.#state = { state: 'sound' };
  }

  /** Checks one table, or adds it to the large ones. False if no table was left, or the file is damaged. */
  #step(large: string[]): boolean {
    const table = this.#unchecked.pop();
    if (table === undefined || this.#state.state === 'damaged') return false;
    if (this.#isLarge(table)) {
      large.push(table);
      return true;
    }
    return this.#check(table);
  }

  #check(table: string): boolean {
    const problem = this.#problemIn(table);
    if (problem !== undefined) this.recordProblem(problem);
    return problem === undefined;
  }

  #isLarge(table: string): boolean {
    try {
      return this.#file !== undefined && isLargeTable(this.#sqlite, table);
    } catch {
      // The check says what is wrong.
      return false;
    }
  }

  /** False if the table is to be checked later: something else was under way, or the file was about to change. */
  async #checkLarge(table: string): Promise<boolean> {
    if (!this.#holdFile()) return false;
    const { signal } = (this.#outside = new AbortController());
    const answer = await checkOutside(this.#file!, table, signal);
    if (signal.aborted) return false;
    this.#endOutside();
    // Whatever it is, damage is what this process finds too.
    if (answer !== 'ok') this.#check(table);
    return true;
  }

  /** Moves the log into the file, and keeps later writes in the log. False if that is not possible now. */
  #holdFile(): boolean {
    if (this.#sqlite.isTransaction) return false;
    const moved = this.#sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
    if (moved['busy'] !== 0 || moved['log'] !== moved['checkpointed']) return false;
    this.#sqlite.exec('PRAGMA wal_autocheckpoint = 0');
    return true;
  }

  #endOutside(): void {
    if (this.#outside === undefined) return;
    this.#outside = undefined;
    if (this.#sqlite.isOpen) this.#sqlite.exec(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
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

/**
 * Whether the check of a table would keep everything else waiting. Its first pages say so: a leaf, or a page that names a few
 * leaves, is a small table. SQLite reads them, because a process that closes a file of its own loses SQLite's locks on it.
 */
function isLargeTable(sqlite: DatabaseSync, table: string): boolean {
  const sql = 'SELECT pagetype, ncell FROM dbstat WHERE name = ? LIMIT 2';
  const [root, child] = sqlite.prepare(sql).all(table);
  if (root?.['pagetype'] !== 'internal') return false;
  return Number(root['ncell']) > fewPages || child?.['pagetype'] === 'internal';
}

/**
 * Checks a table in a process of its own with the lowest priority. The file must not change meanwhile. Resolves to SQLite's answer, `ok` for
 * a sound table; undefined if the process ended without one, as it does when the signal aborts.
 */
async function checkOutside(file: string, table: string, signal: AbortSignal): Promise<string | undefined> {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  url.searchParams.set('mode', 'ro');
  try {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script, url.href, table], {
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
    const output = await text(child.stdout);
    await ended;
    const { answer }: { answer: string } = JSON.parse(output);
    return answer;
  } catch {
    return undefined;
  }
}
