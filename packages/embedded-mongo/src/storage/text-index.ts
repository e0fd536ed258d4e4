import { languageNamed, stemsOf, type TextLanguage } from '@docwright/language';
import { locationError } from '../errors/mongo-error.ts';
import { visitPath } from '../values/path.ts';
import type { BsonDocument } from '../values/value.ts';
import type { ScoredRow, SearchTable } from './search-table.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Prefix of the name of a language in the index. No stem starts with it. */
const languagePrefix = '§';

/**
 * A text index: SQLite's FTS5 without a copy of the text, ranked by BM25. It contains the stems of a document in the
 * document's own language. A further column, without weight in the ranking, contains the name of that language.
 */
export class FullTextIndex implements SearchTable {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly rootFields: Set<string>;
  isDropped = false;
  readonly #connection: SqliteConnection;
  readonly #paths: string[][];
  readonly #override: string;

  constructor(connection: SqliteConnection, id: number, specification: BsonDocument) {
    this.#connection = connection;
    this.id = id;
    this.specification = specification;
    const weights = specification.get('weights') as BsonDocument;
    this.#paths = [...weights.keys()].map((path) => path.split('.'));
    this.#override = specification.get('language_override') as string;
    this.rootFields = new Set([...this.#paths.map(([first]) => first!), this.#override]);
  }

  get name(): string {
    return this.specification.get('name') as string;
  }

  get language(): TextLanguage {
    return languageNamed(this.specification.get('default_language') as string) ?? 'none';
  }

  /**
   * Narrows a search to the documents with this value in a field. Undefined when the index cannot decide that, which it
   * can for the field of the language only.
   */
  withField(expression: string, field: string, value: unknown): string | undefined {
    if (field !== this.#override || typeof value !== 'string' || !languageNamed(value)) return undefined;
    return `(${expression}) AND language : "${languagePrefix}${value}"`;
  }

  createTable(): void {
    const columns = this.#columns().join(', ');
    // This tokenizer treats non-ASCII characters as part of a word, and spaces separate the stems.
    this.#connection.sqlite.exec(
      `CREATE VIRTUAL TABLE t${this.id} USING fts5(${columns}, content='', contentless_delete=1, tokenize='ascii')`,
    );
    const weights = [...this.#paths.map(() => '1.0'), '0.0'].join(', ');
    this.#connection.sqlite.exec(`INSERT INTO t${this.id} (t${this.id}, rank) VALUES ('rank', 'bm25(${weights})')`);
  }

  dropTable(): void {
    this.isDropped = true;
    this.#connection.forgetStatements();
    this.#connection.sqlite.exec(`DROP TABLE t${this.id}`);
  }

  insert(row: number, document: BsonDocument): void {
    const { language, value } = this.#languageOf(document);
    const texts = this.#textsOf(document);
    if (texts.every((text) => text === '')) return;
    const columns = this.#columns();
    const sql = `INSERT INTO t${this.id} (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
    const mark = value === undefined ? '' : `${languagePrefix}${value}`;
    this.#connection.statement(sql).run(row, ...texts.map((text) => stemsOf(text, language)), mark);
  }

  update(row: number, before: BsonDocument, after: BsonDocument): void {
    const isSame = before.get(this.#override) === after.get(this.#override);
    if (isSame && this.#textsOf(before).join('\0') === this.#textsOf(after).join('\0')) return;
    this.remove(row, before);
    this.insert(row, after);
  }

  remove(row: number, document: BsonDocument): void {
    if (this.#textsOf(document).every((text) => text === '')) return;
    this.#connection.statement(`DELETE FROM t${this.id} WHERE rowid = ?`).run(row);
  }

  /** The rows that match an FTS5 expression, best first. */
  search(expression: string, limit: number): ScoredRow[] {
    const ordered = `SELECT rowid AS id, -rank AS score FROM t${this.id} WHERE t${this.id} MATCH ? ORDER BY rank`;
    const rows = Number.isFinite(limit)
      ? this.#connection.statement(`${ordered} LIMIT ?`).all(expression, limit)
      : this.#connection.statement(ordered).all(expression);
    return rows as unknown as ScoredRow[];
  }

  #columns(): string[] {
    return [...this.#paths.map((_, at) => `f${at}`), 'language'];
  }

  /** Throws MongoDB's errors for an unknown language. */
  #languageOf(document: BsonDocument): { language: TextLanguage; value: string | undefined } {
    const value = document.get(this.#override);
    if (value === undefined) return { language: this.language, value };
    if (typeof value !== 'string') {
      throw locationError(17_261, 'found language override field in document with non-string type');
    }
    const language = languageNamed(value);
    if (language === undefined) throw locationError(17_262, `language override unsupported: ${value}`);
    return { language, value };
  }

  #textsOf(document: BsonDocument): string[] {
    return this.#paths.map((path) => {
      const texts: string[] = [];
      visitPath(document, path, (value) => {
        for (const one of Array.isArray(value) ? value : [value]) if (typeof one === 'string') texts.push(one);
        return false;
      });
      return texts.join('\n');
    });
  }
}
