import { chmodSync, closeSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RowsInMemory } from './kept-rows.ts';

/**
 * The writes that a power loss can cost: with `full` no acknowledged write, with `normal` the last tenth of a second,
 * with `off` the whole file. When only the process crashes, no mode loses an acknowledged write.
 */
export type Synchronous = 'full' | 'normal' | 'off';

/** The one connection to the database file, as collections and their indexes use it. */
export interface SqliteConnection {
  readonly sqlite: DatabaseSync;
  /** Rows of ranges of indexes, in memory. */
  readonly keptRows: RowsInMemory;
  /** Counts changes of the catalogue. An undone change makes the catalogue reload. */
  catalogueChanges: number;
  /** A prepared statement, cached for the next use. */
  statement(sql: string): StatementSync;
  /** Empties the cache: SQLite cannot drop a table that a cached statement names. */
  forgetStatements(): void;
  /** Loads a library of SQLite functions, once. */
  loadExtension(path: string): void;
  /** Runs work completely or not at all, inside the transaction of this turn of the event loop. */
  atomically<T>(work: () => T): T;
}

/** A Buffer on the same memory. */
export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Only the account of the process may read the file. SQLite's journals get the mode of the file. */
export function makePrivate(file: string): void {
  if (file === ':memory:') return;
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}
