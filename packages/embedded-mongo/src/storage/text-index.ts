import { visitPath } from '../bson/path.ts';
import type { BsonDocument, BsonValue } from '../bson/value.ts';
import type { Storage } from './storage.ts';
import type { SearchTable } from './search-table.ts';

/** A row that a search found; the greater the score, the better. */
export interface ScoredRow {
  id: number;
  score: number;
}

/**
 * A text index: SQLite's FTS5, without a copy of the text. It ranks by BM25; words are folded by case and diacritics, and
 * stemmed where the language is English.
 */
export class TextIndex implements SearchTable {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly rootFields: Set<string>;
  dropped = false;
  readonly #storage: Storage;
  readonly #paths: string[][];

  constructor(storage: Storage, id: number, specification: BsonDocument) {
    this.#storage = storage;
    this.id = id;
    this.specification = specification;
    const weights = specification.get('weights') as BsonDocument;
    this.#paths = [...weights.keys()].map((path) => path.split('.'));
    this.rootFields = new Set(this.#paths.map(([first]) => first!));
  }

  get name(): string {
    return this.specification.get('name') as string;
  }

  get language(): BsonValue | undefined {
    return this.specification.get('default_language');
  }

  createTable(): void {
    const stemmer = this.language === 'none' ? '' : 'porter ';
    this.#storage.sqlite.exec(
      `CREATE VIRTUAL TABLE t${this.id} USING fts5(${this.#columns().join(', ')}, content='', contentless_delete=1,
        tokenize='${stemmer}unicode61 remove_diacritics 2')`,
    );
  }

  dropTable(): void {
    this.dropped = true;
    this.#storage.forgetStatements();
    this.#storage.sqlite.exec(`DROP TABLE t${this.id}`);
  }

  insert(row: number, document: BsonDocument): void {
    const texts = this.#textsOf(document);
    if (texts.every((text) => text === '')) return;
    const columns = this.#columns();
    const sql = `INSERT INTO t${this.id} (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
    this.#storage.statement(sql).run(row, ...texts);
  }

  update(row: number, before: BsonDocument, after: BsonDocument): void {
    if (this.#textsOf(before).join('\0') === this.#textsOf(after).join('\0')) return;
    this.remove(row, before);
    this.insert(row, after);
  }

  remove(row: number, document: BsonDocument): void {
    if (this.#textsOf(document).every((text) => text === '')) return;
    this.#storage.statement(`DELETE FROM t${this.id} WHERE rowid = ?`).run(row);
  }

  /** The rows that match an FTS5 expression, the best first. */
  search(expression: string, most: number): ScoredRow[] {
    const ordered = `SELECT rowid AS id, -rank AS score FROM t${this.id} WHERE t${this.id} MATCH ? ORDER BY rank`;
    const rows = Number.isFinite(most)
      ? this.#storage.statement(`${ordered} LIMIT ?`).all(expression, most)
      : this.#storage.statement(ordered).all(expression);
    return rows as unknown as ScoredRow[];
  }

  #columns(): string[] {
    return this.#paths.map((_, at) => `f${at}`);
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
