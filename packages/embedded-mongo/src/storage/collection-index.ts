import { emptyArray, sortKey, type KeyPart } from '../bson/sort-key.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { compileFilter, rootFields } from '../query/filter.ts';
import type { Predicate } from '../query/predicate.ts';
import { toNumber } from '../values/number.ts';
import { visitPath } from '../values/path.ts';
import { isDocument, isNumber, isTruthy, type BsonDocument } from '../values/value.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const maxKeysPerDocument = 10_000;
const allMultikey = 1;
/** The bit of a field. From the thirtieth field on, it is the bit of all fields. */
const multikeyBit = (field: number): number => (field < 29 ? 2 << field : allMultikey);

interface IndexField {
  path: string;
  parts: string[];
  direction: 1 | -1;
}

/** An index: a table of `(key, row)`. The index of `_id` has no table: its keys are in the table of documents. */
export class CollectionIndex {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly fields: readonly IndexField[];
  readonly partialFilter: BsonDocument | undefined;
  /**
   * The fields that ever contained an array. The first bit means all fields, as older releases stored it; each further
   * bit means one field.
   */
  multikeyFields: number;
  isDropped = false;
  readonly #connection: SqliteConnection;
  readonly #partial: Predicate | undefined;
  readonly #directions: number[];

  constructor(connection: SqliteConnection, id: number, specification: BsonDocument, multikeyFields: number) {
    this.#connection = connection;
    this.id = id;
    this.specification = specification;
    this.multikeyFields = multikeyFields;
    this.fields = [...this.key].map(([path, value]) => ({
      path,
      parts: path.split('.'),
      direction: isNumber(value) && toNumber(value) < 0 ? -1 : 1,
    }));
    this.#directions = this.fields.map(({ direction }) => direction);
    const partial = specification.get('partialFilterExpression');
    this.partialFilter = isDocument(partial) ? partial : undefined;
    this.#partial = this.partialFilter && compileFilter(this.partialFilter);
  }

  get name(): string {
    return this.specification.get('name') as string;
  }

  get key(): BsonDocument {
    return this.specification.get('key') as BsonDocument;
  }

  get isIdentifier(): boolean {
    return this.name === '_id_';
  }

  /** True when a document has ever had an array in a field: such an index can have several entries for one document. */
  get isMultikey(): boolean {
    return this.multikeyFields !== 0;
  }

  /** Whether a field, counted from 0, has ever been an array in a document. */
  isMultikeyAt(field: number): boolean {
    return (this.multikeyFields & (allMultikey | multikeyBit(field))) !== 0;
  }

  get isUnique(): boolean {
    return isTruthy(this.specification.get('unique'));
  }

  get isSparse(): boolean {
    return isTruthy(this.specification.get('sparse'));
  }

  /** Undefined for an index without a TTL. */
  get expireAfterSeconds(): number | undefined {
    const seconds = this.specification.get('expireAfterSeconds');
    return isNumber(seconds) && this.fields.length === 1 ? toNumber(seconds) : undefined;
  }

  /** The top-level fields that decide a document's keys; undefined when any field can. */
  get rootFields(): Set<string> | undefined {
    const partial = this.partialFilter ? rootFields(this.partialFilter) : new Set<string>();
    return partial?.union(new Set(this.fields.map(({ parts }) => parts[0]!)));
  }

  /**
   * The keys of a document; none when the index is sparse or partial and leaves it out. Records new multikey fields.
   */
  keysOf(document: BsonDocument): Buffer[] {
    if (this.#partial && !this.#partial(document)) return [];
    let tuples: KeyPart[][] = [[]];
    let multikeyFields = 0;
    let isPresent = false;
    for (const [at, { parts }] of this.fields.entries()) {
      const { values, isFromArray, isFound } = valuesAt(document, parts);
      if (isFromArray) multikeyFields |= multikeyBit(at);
      isPresent ||= isFound;
      tuples = tuples.flatMap((tuple) => values.map((value) => [...tuple, value]));
      if (tuples.length > maxKeysPerDocument) throw tooManyKeys(this.name);
    }
    if (this.isSparse && !isPresent) return [];
    if ((multikeyFields & ~this.multikeyFields) !== 0) this.#becomeMultikey(multikeyFields);
    const keys = tuples.map((tuple) => sortKey(tuple, this.#directions));
    return keys.length > 1 ? distinct(keys) : keys;
  }

  insert(key: Buffer, row: number): void {
    this.#statement('INSERT OR IGNORE INTO x? (k, rid) VALUES (?, ?)').run(key, row);
    this.#connection.keptRows.note(this.id, key, row, true);
  }

  remove(key: Buffer, row: number): void {
    this.#statement('DELETE FROM x? WHERE k = ? AND rid = ?').run(key, row);
    this.#connection.keptRows.note(this.id, key, row, false);
  }

  /** Removes the keys of a document that its new ones do not have. Returns those that the document did not have. */
  removeFormer(row: number, before: BsonDocument, now: Buffer[]): Buffer[] {
    const old = this.keysOf(before);
    for (const key of old) if (!contains(now, key)) this.remove(key, row);
    return now.filter((key) => !contains(old, key));
  }

  /** True when another row has the same key. */
  hasOther(key: Buffer, row: number | undefined): boolean {
    return this.#statement('SELECT 1 FROM x? WHERE k = ? AND rid <> ? LIMIT 1').get(key, row ?? -1) !== undefined;
  }

  createTable(): void {
    if (this.isIdentifier) return;
    this.#connection.sqlite.exec(
      `CREATE TABLE x${this.id} (k BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (k, rid)) WITHOUT ROWID`,
    );
  }

  dropTable(): void {
    this.isDropped = true;
    this.#connection.forgetStatements();
    this.#connection.keptRows.forget(this.id);
    if (!this.isIdentifier) this.#connection.sqlite.exec(`DROP TABLE x${this.id}`);
  }

  #becomeMultikey(more: number): void {
    const fields = this.multikeyFields | more;
    this.#connection.statement('UPDATE indexes SET multikey = ? WHERE id = ?').run(fields, this.id);
    this.multikeyFields = fields;
    this.#connection.keptRows.forget(this.id);
  }

  #statement(sql: string) {
    return this.#connection.statement(sql.replace('x?', `x${this.id}`));
  }
}

function valuesAt(document: BsonDocument, parts: readonly string[]) {
  const values: KeyPart[] = [];
  let isFromArray = false;
  let isFound = false;
  visitPath(document, parts, (value, step) => {
    if (step) isFromArray = true;
    if (value !== undefined) isFound = true;
    if (Array.isArray(value)) {
      isFromArray = true;
      if (value.length === 0) values.push(emptyArray);
      for (const element of value) values.push(element);
    } else values.push(value);
    return false;
  });
  // A path that ends in an array without documents has no value, not even a missing one.
  return values.length > 0 ? { values, isFromArray, isFound } : { values: [undefined], isFromArray: true, isFound };
}

const contains = (keys: Buffer[], key: Buffer): boolean => keys.some((other) => other.equals(key));

function distinct(keys: Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

const tooManyKeys = (name: string): MongoError =>
  new MongoError(171, 'CannotIndexParallelArrays', `cannot index parallel arrays: too many keys for index ${name}`);
