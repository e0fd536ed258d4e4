import { languageNamed, stemsOf, type TextLanguage } from '@docwright/language';
import { locationError } from '../errors/mongo-error.ts';
import { visitPath } from '../values/path.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { RowGroups } from './row-groups.ts';
import type { ScoredRow, SearchTable } from './search-table.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Prefix of the name of a language in the index. No stem starts with it. */
const languagePrefix = '§';
/** Between the number of a group and a stem. The tokenizer takes it for a letter. */
const groupMark = '·';
/** A search for more terms counts how rare they are among all rows. */
const maxTerms = 64;

/**
 * A text index: SQLite's FTS5 without a copy of the text, ranked by BM25. It contains the stems of a document in the
 * document's own language. A further column, without weight in the ranking, contains the name of that language. If the index has
 * fields before its texts, each stem begins with the number of the group of documents with the same values in these.
 */
export class FullTextIndex implements SearchTable {
  readonly id: number;
  readonly specification: BsonDocument;
  readonly rootFields: Set<string>;
  isDropped = false;
  readonly #connection: SqliteConnection;
  readonly #paths: string[][];
  readonly #override: string;
  /** Undefined if the index has no fields before its texts. */
  readonly #groups: RowGroups | undefined;

  constructor(connection: SqliteConnection, id: number, specification: BsonDocument) {
    this.#connection = connection;
    this.id = id;
    this.specification = specification;
    const weights = specification.get('weights') as BsonDocument;
    this.#paths = [...weights.keys()].map((path) => path.split('.'));
    this.#override = specification.get('language_override') as string;
    const fields = [...((specification.get('key') as BsonDocument | undefined)?.keys() ?? [])];
    const prefix = fields.slice(0, Math.max(0, fields.indexOf('_fts')));
    this.#groups = prefix.length > 0 ? new RowGroups(connection, id, prefix) : undefined;
    const ofGroups = this.#groups?.rootFields ?? [];
    this.rootFields = new Set([...this.#paths.map(([first]) => first!), this.#override, ...ofGroups]);
  }

  /** The fields before its texts. A search names a value of each. */
  get prefix(): readonly string[] {
    return this.#groups?.paths ?? [];
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
  withField(search: TextSearch, field: string, value: unknown): TextSearch | undefined {
    if (field !== this.#override || typeof value !== 'string' || !languageNamed(value)) return undefined;
    return { ...search, language: value };
  }

  createTable(): void {
    const columns = this.#columns().join(', ');
    // This tokenizer treats non-ASCII characters as part of a word, and spaces separate the stems.
    this.#connection.sqlite.exec(
      `CREATE VIRTUAL TABLE t${this.id} USING fts5(${columns}, content='', contentless_delete=1, tokenize='ascii')`,
    );
    this.#groups?.createTable();
    const weights = [...this.#paths.map(() => '1.0'), '0.0'].join(', ');
    this.#connection.sqlite.exec(`INSERT INTO t${this.id} (t${this.id}, rank) VALUES ('rank', 'bm25(${weights})')`);
  }

  dropTable(): void {
    this.isDropped = true;
    this.#connection.forgetStatements();
    this.#connection.sqlite.exec(`DROP TABLE t${this.id}`);
    this.#groups?.dropTable();
  }

  insert(row: number, document: BsonDocument): void {
    const { language, value } = this.#languageOf(document);
    const texts = this.#textsOf(document);
    if (texts.every((text) => text === '')) return;
    const columns = this.#columns();
    const sql = `INSERT INTO t${this.id} (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
    const mark = this.#groups ? `${this.#groups.add(this.#groups.keyOf(document))}${groupMark}` : '';
    const stems = texts.map((text) => marked(stemsOf(text, language), mark));
    this.#connection.statement(sql).run(row, ...stems, value === undefined ? '' : `${mark}${languagePrefix}${value}`);
  }

  update(row: number, before: BsonDocument, after: BsonDocument): void {
    const isOfLanguage = before.get(this.#override) === after.get(this.#override);
    const isSame = isOfLanguage && (!this.#groups || this.#groups.keyOf(before).equals(this.#groups.keyOf(after)));
    if (isSame && this.#textsOf(before).join('\0') === this.#textsOf(after).join('\0')) return;
    this.remove(row, before);
    this.insert(row, after);
  }

  remove(row: number, document: BsonDocument): void {
    if (this.#textsOf(document).every((text) => text === '')) return;
    this.#connection.statement(`DELETE FROM t${this.id} WHERE rowid = ?`).run(row);
    this.#groups?.remove(this.#groups.keyOf(document));
  }

  /** The rows that match, best first. */
  search(search: TextSearch, limit: number): ScoredRow[] {
    const group = this.#groups?.find(this.#groups.keyOfValues(search.prefix));
    if (this.#groups && !group) return [];
    const mark = group ? `${group.group}${groupMark}` : '';
    const expression = expressionOf(search, mark);
    const terms = termsOf([...search.phrases, ...search.words], mark);
    // A single term has the same order, and the counts of a group with most rows are those of all.
    const isByGroup = group && terms.length > 1 && terms.length <= maxTerms && group.rows * 2 < this.#groups!.total;
    if (isByGroup) return this.#searchByGroup(search, { expression, terms, rows: group.rows }, limit);
    const ordered = `SELECT rowid AS id, -rank AS score FROM t${this.id} WHERE t${this.id} MATCH ? ORDER BY rank`;
    const rows = Number.isFinite(limit)
      ? this.#connection.statement(`${ordered} LIMIT ?`).all(expression, limit)
      : this.#connection.statement(ordered).all(expression);
    return rows as unknown as ScoredRow[];
  }

  /** FTS5 counts how rare a term is among all rows: the score of each term is changed to how rare it is in the group. */
  #searchByGroup(
    { phrases, unwanted, language }: TextSearch,
    { expression, terms, rows }: { expression: string; terms: readonly string[]; rows: number },
    limit: number,
  ): ScoredRow[] {
    const { total } = this.#groups!;
    const counting = `SELECT count(*) AS n FROM t${this.id} WHERE t${this.id} MATCH ?`;
    const given = terms.flatMap((term) => {
      const found = Number(this.#connection.statement(counting).get(term)!['n']);
      return [rarity(rows, found) / rarity(total, found), term];
    });
    const scores = terms.map(() => `SELECT rowid AS id, -rank * ? AS score FROM t${this.id} WHERE t${this.id} MATCH ?`);
    const isNarrowed = phrases.length > 0 || unwanted.length > 0 || language !== undefined;
    const among = isNarrowed ? `WHERE id IN (SELECT rowid FROM t${this.id} WHERE t${this.id} MATCH ?)` : '';
    const sql = `SELECT id, sum(score) AS score FROM (${scores.join(' UNION ALL ')}) ${among}
      GROUP BY id ORDER BY sum(score) DESC LIMIT ?`;
    const most = Number.isFinite(limit) ? limit : -1;
    const found = this.#connection.statement(sql).all(...given, ...(isNarrowed ? [expression] : []), most);
    return found as unknown as ScoredRow[];
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

/** What a search looks for, as stems: one of the words, every phrase, none of the unwanted. */
export interface TextSearch {
  words: readonly (readonly string[])[];
  phrases: readonly (readonly string[])[];
  unwanted: readonly (readonly string[])[];
  /** The values of the index's fields before its texts. */
  prefix: readonly BsonValue[];
  /** Only documents that name this language. */
  language?: string;
}

/** The stems with the mark of their group. */
const marked = (stems: string, mark: string): string =>
  mark === '' || stems === '' ? stems : stems.replaceAll(/[^ ]+/g, (stem) => mark + stem);

/** The FTS5 expressions of words and phrases. */
const termsOf = (all: TextSearch['words'], mark: string): string[] =>
  all.map((stems) => `"${marked(stems.join(' '), mark)}"`);

/** How much a term counts that so many of the rows have, as FTS5 computes it. */
const rarity = (rows: number, found: number): number => Math.max(1e-6, Math.log((rows - found + 0.5) / (found + 0.5)));

/** The FTS5 expression of a search. */
function expressionOf({ words, phrases, unwanted, language }: TextSearch, mark: string): string {
  const alternatives = termsOf(words, mark).join(' OR ');
  const wanted = [...termsOf(phrases, mark), ...(words.length > 0 ? [`(${alternatives})`] : [])].join(' AND ');
  const found = unwanted.length > 0 ? `(${wanted}) NOT (${termsOf(unwanted, mark).join(' OR ')})` : wanted;
  return language === undefined ? found : `(${found}) AND language : "${mark}${languagePrefix}${language}"`;
}
