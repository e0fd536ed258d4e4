import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { MongoError } from '../errors/mongo-error.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import type { BsonDocument } from '../values/value.ts';
import { CollectionIndex } from './collection-index.ts';
import { bufferOf, type SqliteConnection } from './sqlite-connection.ts';

/** Rows that are added to an index between other commands, in a few milliseconds. */
export const rowsPerStep = 100;

/** What a build needs of the collection. */
interface IndexedCollection {
  readonly connection: SqliteConnection;
  readonly id: number;
  readonly isDropped: boolean;
  indexes: CollectionIndex[];
  indexBuild: IndexBuild | undefined;
  insertKeys(index: CollectionIndex, keys: Buffer[], document: BsonDocument, row: number): void;
  replaceKeys(index: CollectionIndex, row: number, before: BsonDocument, after: BsonDocument): void;
}

/**
 * Builds indexes of a collection over its documents, in steps between which other commands read and write. The indexes
 * are stored and used once they have all documents: a build that the end of the process interrupts leaves tables that
 * nothing names, which `Storage` removes at its next start.
 */
export class IndexBuild {
  readonly indexes: readonly CollectionIndex[];
  readonly #collection: IndexedCollection;
  readonly #rootFields: Set<string> | undefined;
  /** The last row that the indexes know. New documents get later rows. */
  #builtTo = -1;

  constructor(collection: IndexedCollection, specifications: readonly BsonDocument[]) {
    this.#collection = collection;
    const { connection } = collection;
    this.indexes = connection.atomically(() =>
      specifications.map((specification) => {
        const index = new CollectionIndex(connection, this.#reserveId(specification), specification, 0);
        index.createTable();
        return index;
      }),
    );
    let fields: Set<string> | undefined = new Set();
    for (const { rootFields } of this.indexes) fields = rootFields && fields?.union(rootFields);
    this.#rootFields = fields;
  }

  /** Builds the indexes beside other commands. Throws DuplicateKey, or QueryPlanKilled when the collection is dropped. */
  async run(yielder: Yielder): Promise<void> {
    const collection = this.#collection;
    collection.indexBuild = this;
    try {
      while (this.step(rowsPerStep)) {
        if (yielder.isDue) await yielder.yield();
        if (collection.isDropped) throw new MongoError(175, 'QueryPlanKilled', 'collection dropped');
      }
      this.finish();
    } catch (error) {
      if (!collection.isDropped) this.#dropTables();
      throw error;
    } finally {
      collection.indexBuild = undefined;
    }
  }

  /** Adds the next rows. False once it has all. Throws DuplicateKey when the documents violate a unique index. */
  step(rows: number): boolean {
    const { connection, id } = this.#collection;
    return connection.atomically(() => {
      const sql = `SELECT rid, doc FROM d${id} WHERE rid > ? ORDER BY rid LIMIT ?`;
      const next = connection.statement(sql).all(this.#builtTo, rows);
      for (const { rid, doc } of next) {
        const document = decodeDocument(bufferOf(doc as Uint8Array), this.#rootFields);
        for (const index of this.indexes)
          this.#collection.insertKeys(index, index.keysOf(document), document, Number(rid));
      }
      this.#builtTo = Number(next.at(-1)?.['rid'] ?? this.#builtTo);
      return next.length === rows;
    });
  }

  /** Notes the change of a document that the indexes have already. */
  update(row: number, before: BsonDocument, after: BsonDocument): void {
    if (row > this.#builtTo) return;
    for (const index of this.indexes) this.#collection.replaceKeys(index, row, before, after);
  }

  remove(row: number, document: BsonDocument): void {
    if (row > this.#builtTo) return;
    for (const index of this.indexes) for (const key of index.keysOf(document)) index.remove(key, row);
  }

  /** Stores the indexes, which are used from then on. */
  finish(): void {
    const { connection, id } = this.#collection;
    connection.atomically(() => {
      for (const index of this.indexes)
        connection
          .statement('INSERT INTO indexes (id, collection, specification, multikey) VALUES (?, ?, ?, ?)')
          .run(index.id, id, encodeDocument(index.specification), index.multikeyFields);
    });
    this.#collection.indexes.push(...this.indexes);
  }

  #dropTables(): void {
    this.#collection.connection.atomically(() => {
      for (const index of this.indexes) index.dropTable();
    });
  }

  /** The id of an index that is not stored yet: no other index gets it. */
  #reserveId(specification: BsonDocument): number {
    const { connection, id } = this.#collection;
    const inserted = connection
      .statement('INSERT INTO indexes (collection, specification) VALUES (?, ?)')
      .run(id, encodeDocument(specification));
    connection.statement('DELETE FROM indexes WHERE id = ?').run(inserted.lastInsertRowid);
    return Number(inserted.lastInsertRowid);
  }
}

/** Removes the tables of indexes whose building the end of the process interrupted. */
export function removeUnfinished({ sqlite }: SqliteConnection): void {
  const unfinished = sqlite
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'x[0-9]*'
       AND CAST(substr(name, 2) AS INTEGER) NOT IN (SELECT id FROM indexes)`,
    )
    .all();
  for (const { name } of unfinished) sqlite.exec(`DROP TABLE ${String(name)}`);
}
