import { valueKey } from '../bson/sort-key.ts';
import { locationError } from '../errors/mongo-error.ts';
import { visitPath } from '../values/path.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** The key of the group that has all rows. Each other key has a byte for each field. */
const keyOfAll = Buffer.alloc(0);

/**
 * The rows of a search index by their values in some fields: rows with the same values are a group, which has a number.
 * A search in one group reads nothing of the others. A group exists as long as it has rows.
 */
export class RowGroups {
  readonly paths: readonly string[];
  readonly rootFields: readonly string[];
  readonly #connection: SqliteConnection;
  readonly #table: string;
  readonly #parts: readonly string[][];

  constructor(connection: SqliteConnection, id: number, paths: readonly string[]) {
    this.#connection = connection;
    this.#table = `g${id}`;
    this.paths = paths;
    this.#parts = paths.map((path) => path.split('.'));
    this.rootFields = this.#parts.map(([first]) => first!);
  }

  createTable(): void {
    this.#connection.sqlite.exec(
      `CREATE TABLE ${this.#table} (gid INTEGER PRIMARY KEY, k BLOB NOT NULL UNIQUE, n INTEGER NOT NULL)`,
    );
  }

  /** The number of all rows. */
  get total(): number {
    return this.find(keyOfAll)?.rows ?? 0;
  }

  dropTable(): void {
    this.#connection.sqlite.exec(`DROP TABLE ${this.#table}`);
  }

  /** The key of a document's group. Throws MongoDB's error for an array in one of the fields. */
  keyOf(document: BsonDocument): Buffer {
    return this.keyOfValues(
      this.#parts.map((parts, at) => {
        const values: BsonValue[] = [];
        visitPath(document, parts, (value) => {
          values.push(value ?? null);
          return false;
        });
        const [value = null, ...more] = values;
        if (more.length > 0 || Array.isArray(value)) {
          throw locationError(16_675, `cannot have a multi-key as a prefix to a search index: ${this.paths[at]}`);
        }
        return value;
      }),
    );
  }

  keyOfValues(values: readonly BsonValue[]): Buffer {
    return Buffer.concat(values.map((value) => valueKey(value)));
  }

  /** The number of a group and of its rows; undefined if it has none. */
  find(key: Buffer): { group: number; rows: number } | undefined {
    const found = this.#connection.statement(`SELECT gid, n FROM ${this.#table} WHERE k = ?`).get(key);
    return found && { group: Number(found['gid']), rows: Number(found['n']) };
  }

  /** Counts a row, and returns the number of its group. */
  add(key: Buffer): number {
    this.#count(keyOfAll);
    return this.#count(key);
  }

  #count(key: Buffer): number {
    const sql = `INSERT INTO ${this.#table} (k, n) VALUES (?, 1) ON CONFLICT (k) DO UPDATE SET n = n + 1 RETURNING gid`;
    return Number(this.#connection.statement(sql).get(key)!['gid']);
  }

  /** No longer counts a row. */
  remove(key: Buffer): void {
    for (const one of [keyOfAll, key]) this.#uncount(one);
  }

  #uncount(key: Buffer): void {
    const sql = `UPDATE ${this.#table} SET n = n - 1 WHERE k = ? RETURNING n`;
    if (Number(this.#connection.statement(sql).get(key)?.['n']) === 0)
      this.#connection.statement(`DELETE FROM ${this.#table} WHERE k = ?`).run(key);
  }
}
