import { languageNamed, stemsOf, type TextLanguage } from '@docwright/language';
import { locationError } from '../errors/mongo-error.ts';
import { visitPath } from '../values/path.ts';
import type { BsonDocument } from '../values/value.ts';
import type { ScoredRow, SearchTable } from './search-table.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Prefix of a language name in the index: no stem starts with it. */
const languageMark = '§';

/**
 * A text index: SQLite's FTS5, without a copy of the text, ranked by BM25. FTS5 gets the stems of each document's own
 * language. It also gets the name of that language as a word that occurs in no text, in a column without weight in the
 * ranking.
 */
export class TextIndex implements SearchTable {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly rootFields: Set<string>;
  dropped = false;
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
   * The expression that finds exactly the documents with this value in a field; undefined when only the documents can
   * decide it.
   */
  withField(expression: string, field: string, value: unknown): string | undefined {
    if (field !== this.#override || typeof value !== 'string' || !languageNamed(value)) return undefined;
    return `(${expression}) AND language : "${languageMark}${value}"`;
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
    this.dropped = true;
    this.#connection.forgetStatements();
    this.#connection.sqlite.exec(`DROP TABLE t${this.id}`);
  }

  insert(row: number, document: BsonDocument): void {
    const { language, value } = this.#languageOf(document);
    const texts = this.#textsOf(document);
    if (texts.every((text) => text === '')) return;
    const columns = this.#columns();
    const sql = `INSERT INTO t${this.id} (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
    const mark = value === undefined ? '' : `${languageMark}${value}`;
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

  /** The rows that match an FTS5 expression, the best first. */
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
