import mongoose, { type Connection } from 'mongoose';
import { openDatabase } from '../../../platform/database/connection.ts';
import { eachInSteps, inTurns } from '../../../platform/long-values/in-turns.ts';
import { documentModel } from './document-model.ts';

/** The ids of the documents that match. They never change: another read gives another set. */
export type DocumentIds = (filter: Record<string, unknown>) => Promise<ReadonlySet<string>>;

interface KnownIds {
  version: string;
  ids: ReadonlySet<string>;
  /** Ends with the last read. */
  reads: Promise<unknown>;
}

interface Answer {
  version: string;
  added?: mongoose.mongo.Binary;
  removed?: mongoose.mongo.Binary;
}

const commandNotFound = 59;
const tooMany = 17_217;
const idBytes = 12;
/** In all sets of a process together, at about 80 bytes each. The set that was read last stays, however large. */
const maxIds = 1_000_000;

const known = new WeakMap<Connection, Map<string, KnownIds>>();
/** Connections to servers without `docwrightIds`. */
const others = new WeakSet<Connection>();

/**
 * Reads of many ids. The embedded database answers what changed since the last read of the same ones: reading 300,000 each time would take
 * a second. Other servers are asked for all.
 */
export function createDocumentIds(connection: Connection): DocumentIds {
  const { collection } = documentModel(connection);
  const changesSince = createIdChanges(connection);
  const sets = known.get(connection) ?? new Map<string, KnownIds>();
  known.set(connection, sets);

  // Read by the driver alone: 100,000 documents can be in the trash.
  async function all(filter: Record<string, unknown>): Promise<Set<string>> {
    const records = await collection.find(filter, { projection: { _id: 1 }, batchSize: 10_000 }).toArray();
    return new Set(records.map(({ _id }) => String(_id)));
  }

  async function changed(filter: Record<string, unknown>, own: KnownIds): Promise<ReadonlySet<string>> {
    const changes = await changesSince(filter, own.version);
    if (changes === undefined) return await all(filter);
    const { version, added, removed } = changes;
    if (added === undefined) return own.ids;
    const ids = new Set(removed && own.ids);
    await inTurns(eachInSteps(hexIds(added), (id) => ids.add(id)));
    for (const id of removed ? hexIds(removed) : []) ids.delete(id);
    Object.assign(own, { version, ids });
    return ids;
  }

  return async (filter) => {
    const key = mongoose.mongo.BSON.EJSON.stringify(filter);
    const own = sets.get(key) ?? { version: '', ids: new Set(), reads: Promise.resolve() };
    sets.delete(key);
    sets.set(key, own);
    // One after another: each gives what changed since the one before.
    const read = own.reads.then(() => changed(filter, own));
    own.reads = read.catch(() => undefined);
    try {
      return await read;
    } finally {
      makeRoom(sets, own);
    }
  };
}

/** What changed of a set of ids, 12 bytes each. */
export interface IdChanges {
  version: string;
  /** Absent if nothing has changed. */
  added?: Buffer;
  /** Without it, those added are all. */
  removed?: Buffer;
}

/**
 * What changed of the ids of the documents that match since a version of them; with another version, all. Undefined if the database cannot
 * say that, or they are too many.
 */
export function createIdChanges(connection: Connection) {
  const { collection } = documentModel(connection);
  return async (filter: Record<string, unknown>, known: string): Promise<IdChanges | undefined> => {
    if (others.has(connection)) return undefined;
    try {
      const command = { docwrightIds: collection.collectionName, filter, known };
      const { version, added, removed } = (await openDatabase(connection).command(command)) as unknown as Answer;
      return { version, ...(added && { added: bytesOf(added) }), ...(removed && { removed: bytesOf(removed) }) };
    } catch (error) {
      const code = error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
      if (code !== commandNotFound && code !== tooMany) throw error;
      if (code === commandNotFound) others.add(connection);
      return undefined;
    }
  };
}

const bytesOf = ({ buffer }: mongoose.mongo.Binary): Buffer => Buffer.from(buffer);

function makeRoom(sets: Map<string, KnownIds>, last: KnownIds): void {
  let count = [...sets.values()].reduce((sum, { ids }) => sum + ids.size, 0);
  for (const [key, own] of sets) {
    if (count <= maxIds) return;
    if (own === last) continue;
    sets.delete(key);
    count -= own.ids.size;
  }
}

function* hexIds(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; at += idBytes) yield bytes.toString('hex', at, at + idBytes);
}
