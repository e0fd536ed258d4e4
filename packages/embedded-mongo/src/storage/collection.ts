import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { valueKey } from '../bson/sort-key.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { compileFilter } from '../query/filter.ts';
import type { Predicate } from '../query/predicate.ts';
import { visitPath } from '../values/path.ts';
import { show } from '../values/show.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { CollectionIndex } from './collection-index.ts';
import { IndexBuild, rowsPerStep } from './index-build.ts';
import type { SearchTable } from './search-table.ts';
import { bufferOf, type SqliteConnection } from './sqlite-connection.ts';
import { SubstringIndex } from './substring-index.ts';
import { FullTextIndex } from './text-index.ts';

/** One collection: a table of documents as BSON bytes, and its indexes. */
export class StoredCollection {
  readonly connection: SqliteConnection;
  readonly id: number;
  db: string;
  name: string;
  indexes: CollectionIndex[] = [];
  searchTables: SearchTable[] = [];
  /** The building of indexes that are not among `indexes` yet; undefined when none are built. */
  indexBuild: IndexBuild | undefined;
  /** True when the collection was dropped: a scan that yielded in the meantime must stop. */
  isDropped = false;
  /** Number of writes. An upsert compares it to detect a write since its search. */
  version = 0;
  /** Number of documents removed. */
  removals = 0;
  #options: BsonDocument = new Map();
  #validator: Predicate | undefined;

  constructor(connection: SqliteConnection, id: number, db: string, name: string, options: BsonDocument) {
    this.connection = connection;
    this.id = id;
    this.db = db;
    this.name = name;
    this.#applyOptions(options);
  }

  get namespace(): string {
    return `${this.db}.${this.name}`;
  }

  get textIndex(): FullTextIndex | undefined {
    return this.searchTables.find((table) => table instanceof FullTextIndex);
  }

  /** The indexes that find parts of texts, except those that are being built. */
  get substringIndexes(): SubstringIndex[] {
    return this.searchTables.filter((table) => table instanceof SubstringIndex && table.isBuilt) as SubstringIndex[];
  }

  /** All that has tables of its own. */
  get tables(): (CollectionIndex | SearchTable)[] {
    return [...this.indexes, ...(this.indexBuild?.indexes ?? []), ...this.searchTables];
  }

  get options(): BsonDocument {
    return this.#options;
  }

  /** The top-level fields that an insert has to decode; undefined when it can need any. */
  get fieldsReadByWrites(): Set<string> | undefined {
    if (this.#validator) return undefined;
    let fields: Set<string> | undefined = new Set(['_id']);
    for (const index of this.indexes) {
      const more = index.rootFields;
      fields = more && fields?.union(more);
    }
    for (const table of this.searchTables) fields = fields?.union(table.rootFields);
    return fields;
  }

  setOptions(options: BsonDocument): void {
    this.#applyOptions(options);
    const storing = this.connection.statement('UPDATE collections SET options = ? WHERE id = ?');
    this.connection.atomically(() => storing.run(encodeDocument(options), this.id));
  }

  count(): number {
    return Number(this.#statement('SELECT count(*) AS n FROM d?').get()!['n']);
  }

  /** The greatest row: no fewer than there are documents, and unlike their number known at once. */
  lastRow(): number {
    return Number(this.#statement('SELECT max(rid) AS n FROM d?').get()!['n'] ?? 0);
  }

  /** The bytes of a document, or undefined if it has been deleted. */
  read(row: number): Buffer | undefined {
    const found = this.#statement('SELECT doc FROM d? WHERE rid = ?').get(row);
    return found && bufferOf(found['doc'] as Uint8Array);
  }

  /** Throws DuplicateKey or DocumentValidationFailure and changes nothing. */
  insert(bytes: Buffer, document: BsonDocument, bypassValidation = false): void {
    if (!bypassValidation) this.#validate(document);
    const key = valueKey(document.get('_id'));
    const entries = this.#entriesOf(document);
    this.connection.atomically(() => {
      if (this.#statement('SELECT 1 FROM d? WHERE k = ?').get(key)) throw this.duplicateKey(this.indexes[0]!, document);
      const row = Number(this.#statement('INSERT INTO d? (k, doc) VALUES (?, ?)').run(key, bytes).lastInsertRowid);
      for (const { index, keys } of entries) this.insertKeys(index, keys, document, row);
      for (const table of this.searchTables) table.insert(row, document);
    });
    this.version++;
  }

  /** Throws DuplicateKey or DocumentValidationFailure and changes nothing. */
  update(row: number, before: BsonDocument, bytes: Buffer, after: BsonDocument, bypassValidation = false): void {
    if (!bypassValidation) this.#validate(after);
    const entries = this.#entriesOf(after);
    this.connection.atomically(() => {
      this.#statement('UPDATE d? SET doc = ? WHERE rid = ?').run(bytes, row);
      for (const { index, keys } of entries) this.replaceKeys(index, row, before, after, keys);
      this.indexBuild?.update(row, before, after);
      for (const table of this.searchTables) table.update(row, before, after);
    });
    this.version++;
  }

  remove(row: number, document: BsonDocument): void {
    this.connection.atomically(() => {
      for (const index of this.#secondaryIndexes()) for (const key of index.keysOf(document)) index.remove(key, row);
      this.indexBuild?.remove(row, document);
      for (const table of this.searchTables) table.remove(row, document);
      this.#statement('DELETE FROM d? WHERE rid = ?').run(row);
    });
    this.removals++;
    this.version++;
  }

  /** Builds an index over the existing documents in one step. Throws DuplicateKey when they violate a unique index. */
  addIndex(specification: BsonDocument): void {
    this.connection.atomically(() => {
      const build = new IndexBuild(this, [specification]);
      while (build.step(rowsPerStep));
      build.finish();
    });
  }

  /** Builds a search index over the existing documents; a substring index has none yet, see `build`. */
  addSearchTable(specification: BsonDocument, make: (id: number) => SearchTable): void {
    this.connection.atomically(() => {
      this.connection.catalogueChanges++;
      const table = make(this.#insertSpecification(specification));
      if (table instanceof SubstringIndex) table.createTable();
      else this.#fill(table);
      this.searchTables.push(table);
    });
  }

  /** Adds the next rows to a substring index. False once it has all. */
  build(table: SubstringIndex, rows: number): boolean {
    return this.connection.atomically(() => {
      const sql = 'SELECT rid, doc FROM d? WHERE rid > ? ORDER BY rid LIMIT ?';
      const next = this.#statement(sql).all(table.builtTo, rows);
      table.builtTo = Number(next.at(-1)?.['rid'] ?? Infinity);
      for (const { rid, doc } of next)
        table.insert(Number(rid), decodeDocument(bufferOf(doc as Uint8Array), table.rootFields));
      if (table.isBuilt) this.#storeSpecification(table.id, table.specification.set('isBuilt', true));
      return !table.isBuilt;
    });
  }

  /** Stores the specification of an index and returns the index's id. */
  #insertSpecification(specification: BsonDocument): number {
    const inserted = this.connection
      .statement('INSERT INTO indexes (collection, specification) VALUES (?, ?)')
      .run(this.id, encodeDocument(specification));
    return Number(inserted.lastInsertRowid);
  }

  /** Rebuilds a text index that an earlier release wrote in another format. */
  rebuild(table: FullTextIndex): void {
    this.connection.atomically(() => {
      table.dropTable();
      table.isDropped = false;
      this.#fill(table);
    });
  }

  #fill(table: SearchTable): void {
    table.createTable();
    for (const { rid, doc } of this.#statement('SELECT rid, doc FROM d?').iterate()) {
      table.insert(Number(rid), decodeDocument(bufferOf(doc as Uint8Array), table.rootFields));
    }
  }

  dropSearchTable(table: SearchTable): void {
    this.connection.atomically(() => {
      this.connection.statement('DELETE FROM indexes WHERE id = ?').run(table.id);
      table.dropTable();
    });
    this.searchTables = this.searchTables.filter((other) => other !== table);
  }

  dropIndex(index: CollectionIndex): void {
    this.connection.atomically(() => {
      this.connection.statement('DELETE FROM indexes WHERE id = ?').run(index.id);
      index.dropTable();
    });
    this.indexes = this.indexes.filter((other) => other !== index);
  }

  /** Stores a changed specification of an index, such as a new TTL. */
  replaceSpecification(index: CollectionIndex, specification: BsonDocument): void {
    this.connection.atomically(() => this.#storeSpecification(index.id, specification));
    const changed = new CollectionIndex(this.connection, index.id, specification, index.multikeyFields);
    this.indexes = this.indexes.map((other) => (other === index ? changed : other));
  }

  #storeSpecification(id: number, specification: BsonDocument): void {
    const storing = this.connection.statement('UPDATE indexes SET specification = ? WHERE id = ?');
    storing.run(encodeDocument(specification), id);
  }

  /** The keys of the document before and after a change. Throws DuplicateKey. */
  replaceKeys(
    index: CollectionIndex,
    row: number,
    before: BsonDocument,
    after: BsonDocument,
    now = index.keysOf(after),
  ): void {
    this.insertKeys(index, index.removeFormer(row, before, now), after, row);
  }

  insertKeys(index: CollectionIndex, keys: Buffer[], document: BsonDocument, row: number): void {
    for (const key of keys) {
      if (index.isUnique && index.hasOther(key, row)) throw this.duplicateKey(index, document);
      index.insert(key, row);
    }
  }

  /** Called before the savepoint of a write, so that the multikey bits stay set when the write is undone. */
  #entriesOf(document: BsonDocument): { index: CollectionIndex; keys: Buffer[] }[] {
    return this.#secondaryIndexes().map((index) => ({ index, keys: index.keysOf(document) }));
  }

  #secondaryIndexes(): CollectionIndex[] {
    return this.indexes.slice(1);
  }

  #applyOptions(options: BsonDocument): void {
    const validator = options.get('validator');
    const strict = options.get('validationLevel') !== 'off' && options.get('validationAction') !== 'warn';
    this.#validator = isDocument(validator) && validator.size > 0 && strict ? compileFilter(validator) : undefined;
    this.#options = options;
  }

  #validate(document: BsonDocument): void {
    if (this.#validator && !this.#validator(document)) {
      const details: BsonDocument = new Map([
        ['operatorName', 'validator'],
        ['specifiedAs', show(this.#options.get('validator'))],
      ]);
      const info: BsonDocument = new Map([
        ['failingDocumentId', document.get('_id') ?? null],
        ['details', details],
      ]);
      throw new MongoError(
        121,
        'DocumentValidationFailure',
        'Document failed validation',
        new Map([['errInfo', info]]),
      );
    }
  }

  duplicateKey(index: CollectionIndex, document: BsonDocument): MongoError {
    const keyValue: BsonDocument = new Map();
    for (const { path, parts } of index.fields) {
      let first: BsonValue | undefined;
      visitPath(document, parts, (value) => {
        first = Array.isArray(value) ? value[0] : value;
        return true;
      });
      keyValue.set(path, first ?? null);
    }
    return new MongoError(
      11000,
      'DuplicateKey',
      `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: ${show(keyValue)}`,
      new Map([
        ['keyPattern', index.key],
        ['keyValue', keyValue],
      ]),
    );
  }

  /** A statement on the table of documents, `d?` in the SQL. */
  #statement(sql: string) {
    return this.connection.statement(sql.replace('d?', `d${this.id}`));
  }
}
