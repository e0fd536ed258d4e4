import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { BsonDocument } from '../bson/value.ts';
import { invalidNamespace, MongoError } from '../errors.ts';
import { Collection } from './collection.ts';
import { CollectionIndex } from './collection-index.ts';
import { IntegrityCheck } from './integrity.ts';
import { TextIndex } from './text-index.ts';
import { VectorIndex } from './vector-index.ts';

/** Counts changes of how documents and keys are stored; since 4, text indexes hold stems. */
const formatVersion = 4;
const firstWithStems = 4;

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
 * What a loss of power can cost: `full` nothing that was acknowledged, `normal` the last tenth of a second, `off` the file.
 * The end of the process alone costs nothing in any of them.
 */
export type Synchronous = 'full' | 'normal' | 'off';

/**
 * The database file: its catalogue and its one connection. Writes open a transaction that `commit` closes; each document's
 * write is a savepoint within it.
 */
export class Storage {
  readonly sqlite: DatabaseSync;
  readonly integrity: IntegrityCheck;
  /** By `database\0collection`. */
  readonly collections = new Map<string, Collection>();
  /** How many transactions could not be committed: whoever wrote during one must not answer that it succeeded. */
  lostTransactions = 0;
  /** Why the last of them was lost. */
  lastLoss: unknown = new MongoError(8, 'UnknownError', 'what was written could not be kept');
  /** Counts changes of the catalogue, which has to be read again when one of them is undone. */
  catalogueChanges = 0;
  readonly #extensions = new Set<string>();
  readonly #statements = new Map<string, StatementSync>();

  /** Throws when another process has the file open. */
  constructor(file: string, synchronous: Synchronous) {
    this.sqlite = new DatabaseSync(file, { allowExtension: true });
    this.sqlite.enableLoadExtension(false);
    this.sqlite.exec(`
      PRAGMA page_size = 8192;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${synchronous};
      -- What is deleted is overwritten with zeros.
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -16384;
      PRAGMA wal_autocheckpoint = 2000;
      PRAGMA temp_store = MEMORY;
      CREATE TABLE IF NOT EXISTS collections (
        id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, options BLOB NOT NULL, UNIQUE (db, name));
      CREATE TABLE IF NOT EXISTS indexes (
        id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, specification BLOB NOT NULL,
        multikey INTEGER NOT NULL DEFAULT 0);`);
    const version = this.#readFormat();
    this.#loadCatalogue();
    if (version < formatVersion) this.#bringUpTo(version);
    this.integrity = new IntegrityCheck(this.sqlite);
  }

  get inTransaction(): boolean {
    return this.sqlite.isTransaction;
  }

  /** Loads a library of SQLite functions, once. */
  loadExtension(path: string): void {
    if (this.#extensions.has(path)) return;
    this.sqlite.enableLoadExtension(true);
    this.sqlite.loadExtension(path);
    this.sqlite.enableLoadExtension(false);
    this.#extensions.add(path);
  }

  /** A prepared statement, kept for the next use. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Does work whole or not at all, inside the transaction of this turn of the event loop. */
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
      this.noticeDamage(error);
      throw asMongoError(error);
    }
  }

  /** Throws, after undoing what was not committed, when the disk does not take it. */
  commit(): void {
    if (!this.sqlite.isTransaction) return;
    try {
      this.sqlite.exec('COMMIT');
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK');
      this.#transactionLost(error);
      throw asMongoError(error);
    }
  }

  /** To be told of what SQLite throws: damage that it meets shows in the state of the database. */
  noticeDamage(error: unknown): void {
    const primary = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (primary === sqliteCorrupt || primary === sqliteNotADatabase) this.integrity.found((error as Error).message);
  }

  /** Brings the write-ahead log into the file and empties it, with what was deleted and still stands there. */
  emptyLog(): void {
    if (!this.sqlite.isTransaction) this.sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  find(db: string, name: string): Collection | undefined {
    return this.collections.get(`${db}\0${name}`);
  }

  /** The collection, made if there is none. Throws InvalidNamespace for a name that MongoDB does not allow. */
  ensure(db: string, name: string, options: BsonDocument = new Map()): Collection {
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
      const collection = new Collection(this, id, db, name, options);
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

  drop(collection: Collection): void {
    this.atomically(() => {
      this.catalogueChanges++;
      for (const index of [...collection.indexes, ...collection.searchTables]) index.dropTable();
      this.statement('DELETE FROM indexes WHERE collection = ?').run(collection.id);
      this.statement('DELETE FROM collections WHERE id = ?').run(collection.id);
      this.forgetStatements();
      this.sqlite.exec(`DROP TABLE d${collection.id}`);
    });
    collection.dropped = true;
    this.collections.delete(`${collection.db}\0${collection.name}`);
  }

  rename(collection: Collection, db: string, name: string): void {
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

  /** A table that a kept statement names cannot be dropped. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  close(): void {
    this.commit();
    this.forgetStatements();
    this.sqlite.close();
  }

  /** SQLite ends the whole transaction itself for some errors, a full disk among them. */
  #undo(catalogueChanges: number, cause: unknown): void {
    if (!this.sqlite.isTransaction) this.#transactionLost(cause);
    else {
      this.sqlite.exec('ROLLBACK TO work; RELEASE work');
      if (this.catalogueChanges !== catalogueChanges) this.#reloadCatalogue();
    }
  }

  #transactionLost(cause: unknown): void {
    if (asMongoError(cause) instanceof MongoError) this.lastLoss = asMongoError(cause);
    this.lostTransactions++;
    this.#reloadCatalogue();
  }

  #reloadCatalogue(): void {
    for (const collection of this.collections.values()) collection.dropped = true;
    this.forgetStatements();
    this.#loadCatalogue();
  }

  /** An older release must not take the keys of a newer one for its own. */
  #readFormat(): number {
    const version = Number(this.sqlite.prepare('PRAGMA user_version').get()!['user_version']);
    if (version > formatVersion) throw new Error(`it was written by a newer release (format ${version})`);
    return version;
  }

  #bringUpTo(version: number): void {
    this.atomically(() => {
      if (version < firstWithStems) {
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
      const collection = new Collection(this, id, db, name, decodeDocument(Buffer.from(options)));
      for (const row of indexes.all(id) as unknown as IndexRow[]) {
        const specification = decodeDocument(Buffer.from(row.specification));
        if (specification.has('textIndexVersion')) {
          collection.searchTables.push(new TextIndex(this, row.id, specification));
        } else if (specification.get('type') === 'vectorSearch') {
          collection.searchTables.push(new VectorIndex(this, row.id, specification));
        } else collection.indexes.push(new CollectionIndex(collection, row.id, specification, row.multikey));
      }
      this.collections.set(`${db}\0${name}`, collection);
    }
  }
}

function checkNamespace(db: string, name: string): void {
  if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(db)) throw invalidNamespace(`Invalid database name: '${db}'`);
  const allowed = name !== '' && !/[$\0]/.test(name) && !name.startsWith('.') && !name.endsWith('.');
  if (!allowed || Buffer.byteLength(`${db}.${name}`) > 255) {
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
  const message = (error as Error).message;
  const primary = code & 0xff;
  if (primary === sqliteFull) return new MongoError(14031, 'OutOfDiskSpace', `The disk is full: ${message}`);
  return new MongoError(
    primary === sqliteIoError ? 8 : 1,
    primary === sqliteIoError ? 'UnknownError' : 'InternalError',
    message,
  );
}
