import { valueKey } from '../bson/sort-key.ts';
import { badValue } from '../errors/mongo-error.ts';
import { visitPath } from '../values/path.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import type { SearchTable } from './search-table.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Characters of each part of a text in the index. */
const partLength = 3;
/** A text of fewer characters is in so many names that the index finds it no sooner. */
const minCharacters = 2;
/** Rows that have the three rarest parts of a text mostly have all of it. */
const maxParts = 3;
/** The parts of a long text that are compared to find the rarest. */
const maxCompared = 48;
/** The rows of a part that are looked at to see how rare it is. */
const sampledRows = 256;

/**
 * Finds the rows that contain a text in a field, among those with one value in other fields. SQLite's FTS5 finds the rows that have
 * parts of three characters of the text, and a table of the texts decides.
 */
export class SubstringIndex implements SearchTable {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly path: string;
  /** The paths of the fields that each search has one value of. */
  readonly within: readonly string[];
  readonly rootFields: Set<string>;
  isDropped = false;
  /** The last row that it knows while it is built; later rows are added when the building reaches them. */
  builtTo: number;
  readonly #connection: SqliteConnection;
  readonly #textParts: string[];
  readonly #withinParts: string[][];

  constructor(connection: SqliteConnection, id: number, specification: BsonDocument) {
    this.#connection = connection;
    this.id = id;
    this.specification = specification;
    this.path = specification.get('path') as string;
    this.within = specification.get('within') as string[];
    this.#textParts = this.path.split('.');
    this.#withinParts = this.within.map((path) => path.split('.'));
    this.builtTo = specification.get('isBuilt') === true ? Infinity : -1;
    this.rootFields = new Set([this.#textParts, ...this.#withinParts].map(([first]) => first!));
  }

  get name(): string {
    return this.specification.get('name') as string;
  }

  createTable(): void {
    this.#connection.sqlite.exec(`
      CREATE VIRTUAL TABLE t${this.id} USING fts5(part, content='', contentless_delete=1, detail=none, tokenize='ascii');
      CREATE TABLE s${this.id} (rid INTEGER PRIMARY KEY, text BLOB NOT NULL);`);
  }

  dropTable(): void {
    this.isDropped = true;
    this.#connection.forgetStatements();
    this.#connection.sqlite.exec(`DROP TABLE t${this.id}; DROP TABLE s${this.id}`);
  }

  insert(row: number, document: BsonDocument): void {
    const text = this.#textOf(document);
    if (text === '' || row > this.builtTo) return;
    this.#connection.statement(`INSERT INTO s${this.id} (rid, text) VALUES (?, ?)`).run(row, Buffer.from(text));
    const words = wordsOf(text, groupOf(this.#withinOf(document)));
    this.#connection.statement(`INSERT INTO t${this.id} (rowid, part) VALUES (?, ?)`).run(row, words);
  }

  update(row: number, before: BsonDocument, after: BsonDocument): void {
    const isSame = this.#textOf(before) === this.#textOf(after);
    if (isSame && groupOf(this.#withinOf(before)) === groupOf(this.#withinOf(after))) return;
    this.remove(row, before);
    this.insert(row, after);
  }

  remove(row: number, document: BsonDocument): void {
    if (this.#textOf(document) === '' || row > this.builtTo) return;
    for (const sql of [`DELETE FROM s${this.id} WHERE rid = ?`, `DELETE FROM t${this.id} WHERE rowid = ?`])
      this.#connection.statement(sql).run(row);
  }

  /** Whether it has all rows. */
  get isBuilt(): boolean {
    return this.builtTo === Infinity;
  }

  /** The FTS5 expression for a text among the rows with these values; undefined if the index finds it no sooner. */
  expressionOf(text: string, within: readonly BsonValue[]): string | undefined {
    const group = groupOf(within);
    const characters = Array.from(text);
    if (characters.length < minCharacters) return undefined;
    // A part of each text that contains a short text begins with it.
    if (characters.length < partLength) return `"${wordOf(text, group)}"*`;
    const whole = partsOf(characters).filter((part) => Array.from(part).length === partLength);
    const words = [...new Set(whole)].slice(0, maxCompared).map((part) => `"${wordOf(part, group)}"`);
    const byRarity = words.map((word) => ({ word, read: words.length > maxParts ? this.#readFor(word) : 0 }));
    const rarest = byRarity.toSorted((a, b) => b.read - a.read).slice(0, maxParts);
    return rarest.map(({ word }) => word).join(' AND ');
  }

  /** Number of rows with the expression, at most `limit`. */
  countUpTo(expression: string, limit: number): number {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM t${this.id} WHERE t${this.id} MATCH ? LIMIT ?)`;
    return Number(this.#connection.statement(sql).get(expression, limit)!['n']);
  }

  /** The row up to which some with the word are: the greater, the rarer it is. */
  #readFor(word: string): number {
    const sql = `SELECT rowid AS rid FROM t${this.id} WHERE t${this.id} MATCH ? ORDER BY rowid LIMIT 1 OFFSET ?`;
    const found = this.#connection.statement(sql).get(word, sampledRows);
    return found ? Number(found['rid']) : Infinity;
  }

  #textOf(document: BsonDocument): string {
    const text = this.#valueAt(document, this.path, this.#textParts);
    if (typeof text === 'string' || text === null) return text ?? '';
    throw badValue(`the field ${this.path} has an index of its parts, and holds a text or nothing`);
  }

  #withinOf(document: BsonDocument): BsonValue[] {
    return this.within.map((path, at) => this.#valueAt(document, path, this.#withinParts[at]!));
  }

  /** Throws BadValue for more than one value, of which each would count for itself. */
  #valueAt(document: BsonDocument, path: string, parts: readonly string[]): BsonValue {
    const values: BsonValue[] = [];
    visitPath(document, parts, (value) => {
      values.push(value ?? null);
      return false;
    });
    const [value = null, ...more] = values;
    if (more.length > 0 || Array.isArray(value)) throw badValue(`the field ${path} of an index of parts is no array`);
    return value;
  }
}

/** The begin of the words of all documents with these values. */
export const groupOf = (within: readonly BsonValue[]): string =>
  `${Buffer.concat(within.map((value) => valueKey(value))).toString('hex')}x`;

/** The parts that begin at each character: those at the end of the text are shorter. */
const partsOf = (characters: readonly string[]): string[] =>
  characters.map((_, at) => characters.slice(at, at + partLength).join(''));

const wordsOf = (text: string, group: string): string =>
  [...new Set(partsOf(Array.from(text)))].map((part) => wordOf(part, group)).join(' ');

/** In hexadecimal digits, so that it is one word for the tokenizer. */
const wordOf = (part: string, group: string): string => group + Buffer.from(part).toString('hex');
