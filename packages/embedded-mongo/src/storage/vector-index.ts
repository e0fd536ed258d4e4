import { Binary } from 'bson';
import { getLoadablePath } from 'sqlite-vec';
import { decodeDocument } from '../bson/decode.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { toNumber } from '../values/number.ts';
import { visitPath } from '../values/path.ts';
import { isNumber, type BsonDocument, type BsonValue } from '../values/value.ts';
import type { StoredCollection } from './collection.ts';
import { RowGroups } from './row-groups.ts';
import type { ScoredRow, SearchTable } from './search-table.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Number of rows to read in one step. */
const rowsPerStep = 10_000;
/** With fewer dimensions, the signs of a vector do not suffice to choose candidates. */
const minQuantizedDimensions = 256;
/** A vector in BSON is binary data of subtype 9. The first two bytes are the type of its numbers and the padding. */
const vectorSubtype = 9;
const float32 = 0x27;

/**
 * An index of vectors, by sqlite-vec. It stores the signs of a vector's numbers, one bit each. A search chooses
 * candidates by these bits and orders them by their cosine to the query. With few dimensions, all rows are candidates. If the index
 * has fields for filters, a search reads only the rows with its values of these.
 */
export class VectorIndex implements SearchTable {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly rootFields: Set<string>;
  isDropped = false;
  readonly dimensions: number;
  readonly #path: string[];
  readonly #connection: SqliteConnection;
  /** Undefined if the index has no fields for filters. */
  readonly #groups: RowGroups | undefined;

  /** Throws when sqlite-vec does not exist for this platform. */
  constructor(connection: SqliteConnection, id: number, specification: BsonDocument) {
    connection.loadExtension(getLoadablePath());
    this.#connection = connection;
    this.id = id;
    this.specification = specification;
    this.#path = this.path.split('.');
    const filters = (specification.get('filters') ?? []) as string[];
    this.#groups = filters.length > 0 ? new RowGroups(connection, id, filters) : undefined;
    this.rootFields = new Set([this.#path[0]!, ...(this.#groups?.rootFields ?? [])]);
    this.dimensions = toNumber(specification.get('numDimensions') as number);
  }

  get name(): string {
    return this.specification.get('name') as string;
  }

  get path(): string {
    return this.specification.get('path') as string;
  }

  /** The fields for filters. A search names a value of each. */
  get filters(): readonly string[] {
    return this.#groups?.paths ?? [];
  }

  createTable(): void {
    this.#groups?.createTable();
    const columns = this.#groups
      ? '(gid INTEGER NOT NULL, rid INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (gid, rid)) WITHOUT ROWID'
      : '(rid INTEGER PRIMARY KEY, bits BLOB NOT NULL)';
    this.#connection.sqlite.exec(`CREATE TABLE v${this.id} ${columns}`);
  }

  dropTable(): void {
    this.isDropped = true;
    this.#connection.forgetStatements();
    this.#connection.sqlite.exec(`DROP TABLE v${this.id}`);
    this.#groups?.dropTable();
  }

  /** Leaves out a document without a vector of the index's dimensions, as MongoDB does. */
  insert(row: number, document: BsonDocument): void {
    const vector = this.#vectorOf(document);
    if (!vector) return;
    const bits = 'vec_quantize_binary(vec_f32(?))';
    const bytes = paddedToWholeBytes(vector);
    if (this.#groups) {
      const group = this.#groups.add(this.#groups.keyOf(document));
      this.#statement(`INSERT INTO v? (gid, rid, bits) VALUES (?, ?, ${bits})`).run(group, row, bytes);
    } else this.#statement(`INSERT INTO v? (rid, bits) VALUES (?, ${bits})`).run(row, bytes);
  }

  update(row: number, before: BsonDocument, after: BsonDocument): void {
    const old = this.#vectorOf(before);
    const now = this.#vectorOf(after);
    const isInGroup = !this.#groups || this.#groups.keyOf(before).equals(this.#groups.keyOf(after));
    if (old && now && old.equals(now) && isInGroup) return;
    this.remove(row, before);
    this.insert(row, after);
  }

  remove(row: number, document: BsonDocument): void {
    if (!this.#vectorOf(document)) return;
    if (!this.#groups) return void this.#statement('DELETE FROM v? WHERE rid = ?').run(row);
    const key = this.#groups.keyOf(document);
    const found = this.#groups.find(key);
    if (found) this.#statement('DELETE FROM v? WHERE gid = ? AND rid = ?').run(found.group, row);
    this.#groups.remove(key);
  }

  /** The rows nearest to a vector, nearest first, with MongoDB's score. */
  async search(
    collection: StoredCollection,
    vector: Buffer,
    { candidates, limit, filter }: { candidates: number; limit: number; filter: readonly BsonValue[] },
    yielder: Yielder,
  ): Promise<ScoredRow[]> {
    const group = this.#groups?.find(this.#groups.keyOfValues(filter))?.group;
    if (this.#groups && group === undefined) return [];
    const chosen = this.dimensions < minQuantizedDimensions ? Infinity : candidates;
    const rows: ScoredRow[] = [];
    for (const { id } of await this.#candidates(vector, chosen, group, yielder)) {
      if (yielder.isDue) await yielder.yield();
      const bytes = collection.isDropped ? undefined : collection.read(id);
      const found = bytes && this.#vectorOf(decodeDocument(bytes, this.rootFields));
      if (found) rows.push({ id, score: 1 - this.#cosineDistance(found, vector) / 2 });
    }
    return rows.toSorted((a, b) => b.score - a.score).slice(0, limit);
  }

  async #candidates(
    vector: Buffer,
    limit: number,
    group: number | undefined,
    yielder: Yielder,
  ): Promise<{ id: number; distance: number }[]> {
    const { bits } = this.#connection
      .statement('SELECT vec_quantize_binary(vec_f32(?)) AS bits')
      .get(paddedToWholeBytes(vector))!;
    const [among, own] = group === undefined ? ['', []] : ['gid = ? AND', [group]];
    const lastOfStep = `SELECT max(rid) AS last FROM (SELECT rid FROM v? WHERE ${among} rid > ? ORDER BY rid LIMIT ?)`;
    const sql = `SELECT rid AS id, vec_distance_hamming(vec_bit(bits), vec_bit(?)) AS distance FROM v?
      WHERE ${among} rid > ? AND rid <= ? ORDER BY distance LIMIT ?`;
    let best: { id: number; distance: number }[] = [];
    for (let after = -1; !this.isDropped;) {
      const { last } = this.#statement(lastOfStep).get(...own, after, rowsPerStep)!;
      if (last === null) return best;
      const found = this.#statement(sql).all(
        bits as Uint8Array,
        ...own,
        after,
        Number(last),
        Math.min(limit, rowsPerStep),
      );
      best = [...best, ...(found as unknown as typeof best)].toSorted((a, b) => a.distance - b.distance);
      if (best.length > limit) best.length = limit;
      after = Number(last);
      if (yielder.isDue) await yielder.yield();
    }
    return [];
  }

  #cosineDistance(one: Buffer, other: Buffer): number {
    const row = this.#connection
      .statement('SELECT vec_distance_cosine(vec_f32(?), vec_f32(?)) AS distance')
      .get(one, other);
    return Number(row!['distance'] ?? 1);
  }

  #vectorOf(document: BsonDocument): Buffer | undefined {
    let vector: Buffer | undefined;
    visitPath(document, this.#path, (value) => {
      vector = vectorBytes(value, this.dimensions);
      return true;
    });
    return vector;
  }

  #statement(sql: string) {
    return this.#connection.statement(sql.replace('v?', `v${this.id}`));
  }
}

/** Pads with zeros to a multiple of eight dimensions: their signs fill whole bytes. */
function paddedToWholeBytes(vector: Buffer): Buffer {
  return vector.length % 32 === 0 ? vector : Buffer.concat([vector, Buffer.alloc(32 - (vector.length % 32))]);
}

/** The bytes of a vector, as 32-bit floats; undefined for a value that is not a vector of these dimensions. */
export function vectorBytes(value: BsonValue | undefined, dimensions: number): Buffer | undefined {
  if (value instanceof Binary) {
    const bytes = Buffer.from(value.buffer.subarray(0, value.position));
    const isVector = value.sub_type === vectorSubtype && bytes[0] === float32 && bytes.length === 2 + dimensions * 4;
    return isVector ? bytes.subarray(2) : undefined;
  }
  if (!Array.isArray(value) || value.length !== dimensions || !value.every(isNumber)) return undefined;
  return Buffer.from(Float32Array.from(value, toNumber).buffer);
}
