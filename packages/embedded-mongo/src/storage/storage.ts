import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { invalidNamespace, MongoError } from '../errors/mongo-error.ts';
import type { BsonDocument } from '../values/value.ts';
import { CollectionIndex } from './collection-index.ts';
import { StoredCollection } from './collection.ts';
import { removeUnfinished } from './index-build.ts';
import { IntegrityCheck, pagesPerCheckpoint } from './integrity.ts';
import { RowsInMemory } from './kept-rows.ts';
import { makePrivate, type SqliteConnection, type Synchronous } from './sqlite-connection.ts';
import { SubstringIndex } from './substring-index.ts';
import { FullTextIndex } from './text-index.ts';
import { VectorIndex } from './vector-index.ts';

/** Version of the file's format. Text indexes have stems since 4 and groups since 6; parts of texts are indexed since 5. */
const formatVersion = 6;
const firstFormatWithStems = 4;

interface CollectionRow {
  id: number;
  db: string;
  name: string;
  options: Uint8Array;
}

interface IndexRow {
  id: number;
  specification: Uint8Array;
  multikey: number;
}

/**
 * The database file: its catalogue and its one connection. Writes open a transaction that `commit` closes. The write of
 * each document is a savepoint within it.
 */
export class Storage implements SqliteConnection {
  readonly sqlite: DatabaseSync;
  readonly keptRows = new RowsInMemory();
  readonly integrity: IntegrityCheck;
  /** By `database\0collection`. */
  readonly collections = new Map<string, StoredCollection>();
  /** Number of failed transactions. A write of a failed transaction must not be acknowledged. */
  failedTransactions = 0;
  /** The error of the last failed transaction. */
  lastFailure: unknown = new MongoError(8, 'UnknownError', 'the writes could not be stored');
  catalogueChanges = 0;
  readonly #extensions = new Set<string>();
  readonly #statements = new Map<string, StatementSync>();

  /** Throws when another process has locked the file. */
  constructor(file: string, synchronous: Synchronous) {
    makePrivate(file);
    this.sqlite = new DatabaseSync(file, { allowExtension: true });
    this.sqlite.enableLoadExtension(false);
    this.sqlite.exec(`
      PRAGMA page_size = 8192;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${synchronous};
      -- Deleted content is overwritten with zeros.
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -16384;
      PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint};
      PRAGMA temp_store = MEMORY;
      CREATE TABLE IF NOT EXISTS collections (
        id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, options BLOB NOT NULL, UNIQUE (db, name));
      CREATE TABLE IF NOT EXISTS indexes (
        id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, specification BLOB NOT NULL,
        multikey INTEGER NOT NULL DEFAULT 0);`);
    const version = this.#readFormat();
    this.#loadCatalogue();
    removeUnfinished(this);
    if (version < formatVersion) this.#upgradeFormat(version);
    this.integrity = new IntegrityCheck(this.sqlite, file);
  }

  get isInTransaction(): boolean {
    return this.sqlite.isTransaction;
  }

  loadExtension(path: string): void {
    if (this.#extensions.has(path)) return;
    this.sqlite.enableLoadExtension(true);
    this.sqlite.loadExtension(path);
    this.sqlite.enableLoadExtension(false);
    this.#extensions.add(path);
  }

  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  atomically<T>(work: () => T): T {
    if (!this.sqlite.isTransaction) this.sqlite.exec('BEGIN IMMEDIATE');
    const { catalogueChanges } = this;
    this.statement('SAVEPOINT work').run();
    try {
      const result = work();
      this.statement('RELEASE work').run();
      return result;
    } catch (error) {
      this.#undo(catalogueChanges, error);
      this.recordDamage(error);
      throw asMongoError(error);
    }
  }

  /** Commits the open transaction. When the disk rejects the commit, undoes the writes and throws. */
  commit(): void {
    if (!this.sqlite.isTransaction) return;
    try {
      this.sqlite.exec('COMMIT');
      this.keptRows.commit();
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK');
      this.#recordFailedTransaction(error);
      throw asMongoError(error);
    }
  }

  /** Records that the file is damaged, if this is such an error of SQLite. */
  recordDamage(error: unknown): void {
    const primary = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (primary === sqliteCorrupt || primary === sqliteNotADatabase)
      this.integrity.recordProblem((error as Error).message);
  }

  /** Moves the write-ahead log into the file and empties it, including the content of deleted documents. */
  checkpoint(): void {
    this.integrity.interrupt();
    if (!this.sqlite.isTransaction) this.sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  find(db: string, name: string): StoredCollection | undefined {
    return this.collections.get(`${db}\0${name}`);
  }

  /** The collection, created if missing. Throws InvalidNamespace for a name that MongoDB does not allow. */
  ensure(db: string, name: string, options: BsonDocument = new Map()): StoredCollection {
    const existing = this.find(db, name);
    if (existing) return existing;
    checkNamespace(db, name);
    return this.atomically(() => {
      this.catalogueChanges++;
      const inserted = this.statement('INSERT INTO collections (db, name, options) VALUES (?, ?, ?)').run(
        db,
        name,
        encodeDocument(options),
      );
      const id = Number(inserted.lastInsertRowid);
      this.sqlite.exec(
        `CREATE TABLE d${id} (rid INTEGER PRIMARY KEY AUTOINCREMENT, k BLOB NOT NULL UNIQUE, doc BLOB NOT NULL)`,
      );
      const collection = new StoredCollection(this, id, db, name, options);
      collection.addIndex(
        new Map()
          .set('v', 2)
          .set('key', new Map([['_id', 1]]))
          .set('name', '_id_'),
      );
      this.collections.set(`${db}\0${name}`, collection);
      return collection;
    });
  }

  drop(collection: StoredCollection): void {
    this.atomically(() => {
      this.catalogueChanges++;
      for (const index of collection.tables) index.dropTable();
      this.statement('DELETE FROM indexes WHERE collection = ?').run(collection.id);
      this.statement('DELETE FROM collections WHERE id = ?').run(collection.id);
      this.forgetStatements();
      this.sqlite.exec(`DROP TABLE d${collection.id}`);
    });
    collection.isDropped = true;
    this.collections.delete(`${collection.db}\0${collection.name}`);
  }

  rename(collection: StoredCollection, db: string, name: string): void {
    checkNamespace(db, name);
    this.atomically(() => {
      this.catalogueChanges++;
      this.statement('UPDATE collections SET db = ?, name = ? WHERE id = ?').run(db, name, collection.id);
    });
    this.collections.delete(`${collection.db}\0${collection.name}`);
    collection.db = db;
    collection.name = name;
    this.collections.set(`${db}\0${name}`, collection);
  }

  forgetStatements(): void {
    this.#statements.clear();
  }

  close(): void {
    this.integrity.interrupt();
    this.commit();
    this.forgetStatements();
    this.sqlite.close();
  }

  /** Undoes a savepoint. For some errors, such as a full disk, SQLite has already rolled back the whole transaction. */
  #undo(catalogueChanges: number, cause: unknown): void {
    if (!this.sqlite.isTransaction) this.#recordFailedTransaction(cause);
    else {
      this.sqlite.exec('ROLLBACK TO work; RELEASE work');
      this.keptRows.undo();
      if (this.catalogueChanges !== catalogueChanges) this.#reloadCatalogue();
    }
  }

  #recordFailedTransaction(cause: unknown): void {
    if (asMongoError(cause) instanceof MongoError) this.lastFailure = asMongoError(cause);
    this.failedTransactions++;
    this.#reloadCatalogue();
  }

  #reloadCatalogue(): void {
    for (const collection of this.collections.values()) collection.isDropped = true;
    this.keptRows.forget();
    this.forgetStatements();
    this.#loadCatalogue();
  }

  /** Throws for a file of a newer release, whose keys this release could misread. */
  #readFormat(): number {
    const version = Number(this.sqlite.prepare('PRAGMA user_version').get()!['user_version']);
    if (version > formatVersion) throw new Error(`a newer release has written it (format ${version})`);
    return version;
  }

  #upgradeFormat(version: number): void {
    this.atomically(() => {
      if (version < firstFormatWithStems) {
        for (const collection of this.collections.values()) {
          if (collection.textIndex) collection.rebuild(collection.textIndex);
        }
      }
      this.sqlite.exec(`PRAGMA user_version = ${formatVersion}`);
    });
    this.commit();
  }

  #loadCatalogue(): void {
    this.collections.clear();
    const rows = this.sqlite
      .prepare('SELECT id, db, name, options FROM collections')
      .all() as unknown as CollectionRow[];
    const indexes = this.sqlite.prepare(
      'SELECT id, specification, multikey FROM indexes WHERE collection = ? ORDER BY id',
    );
    for (const { id, db, name, options } of rows) {
      const collection = new StoredCollection(this, id, db, name, decodeDocument(Buffer.from(options)));
      for (const row of indexes.all(id) as unknown as IndexRow[]) {
        const specification = decodeDocument(Buffer.from(row.specification));
        if (specification.has('textIndexVersion')) {
          collection.searchTables.push(new FullTextIndex(this, row.id, specification));
        } else if (specification.get('type') === 'substring') {
          collection.searchTables.push(new SubstringIndex(this, row.id, specification));
        } else if (specification.get('type') === 'vectorSearch') {
          collection.searchTables.push(new VectorIndex(this, row.id, specification));
        } else collection.indexes.push(new CollectionIndex(this, row.id, specification, row.multikey));
      }
      this.collections.set(`${db}\0${name}`, collection);
    }
  }
}

function checkNamespace(db: string, name: string): void {
  if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(db)) throw invalidNamespace(`Invalid database name: '${db}'`);
  const isAllowed = name !== '' && !/[$\0]/.test(name) && !name.startsWith('.') && !name.endsWith('.');
  if (!isAllowed || Buffer.byteLength(`${db}.${name}`) > 255) {
    throw invalidNamespace(`Invalid namespace specified '${db}.${name}'`);
  }
}

const sqliteCorrupt = 11;
const sqliteFull = 13;
const sqliteNotADatabase = 26;
const sqliteIoError = 10;

function asMongoError(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined || error instanceof MongoError) return error;
  const { message } = error as Error;
  const primary = code & 0xff;
  if (primary === sqliteFull) return new MongoError(14031, 'OutOfDiskSpace', `The disk is full: ${message}`);
  const isIoError = primary === sqliteIoError;
  return new MongoError(isIoError ? 8 : 1, isIoError ? 'UnknownError' : 'InternalError', message);
}
