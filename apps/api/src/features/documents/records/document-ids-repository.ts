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
  const sets = known.get(connection) ?? new Map<string, KnownIds>();
  known.set(connection, sets);

  // Read by the driver alone: 100,000 documents can be in the trash.
  async function all(filter: Record<string, unknown>): Promise<Set<string>> {
    const records = await collection.find(filter, { projection: { _id: 1 }, batchSize: 10_000 }).toArray();
    return new Set(records.map(({ _id }) => String(_id)));
  }

  async function changed(filter: Record<string, unknown>, own: KnownIds): Promise<ReadonlySet<string>> {
    const command = { docwrightIds: collection.collectionName, filter, known: own.version };
    const { version, added, removed } = (await openDatabase(connection).command(command)) as unknown as Answer;
    if (added === undefined) return own.ids;
    const ids = new Set(removed && own.ids);
    await inTurns(eachInSteps(hexIds(added), (id) => ids.add(id)));
    for (const id of removed ? hexIds(removed) : []) ids.delete(id);
    Object.assign(own, { version, ids });
    return ids;
  }

  return async (filter) => {
    if (others.has(connection)) return await all(filter);
    const key = mongoose.mongo.BSON.EJSON.stringify(filter);
    const own = sets.get(key) ?? { version: '', ids: new Set(), reads: Promise.resolve() };
    sets.delete(key);
    sets.set(key, own);
    // One after another: each gives what changed since the one before.
    const read = own.reads.then(() => changed(filter, own));
    own.reads = read.catch(() => undefined);
    try {
      return await read;
    } catch (error) {
      const code = error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
      if (code !== commandNotFound && code !== tooMany) throw error;
      if (code === commandNotFound) others.add(connection);
      return await all(filter);
    } finally {
      makeRoom(sets, own);
    }
  };
}

function makeRoom(sets: Map<string, KnownIds>, last: KnownIds): void {
  let count = [...sets.values()].reduce((sum, { ids }) => sum + ids.size, 0);
  for (const [key, own] of sets) {
    if (count <= maxIds) return;
    if (own === last) continue;
    sets.delete(key);
    count -= own.ids.size;
  }
}

function* hexIds({ buffer }: mongoose.mongo.Binary): Generator<string> {
  const bytes = Buffer.from(buffer);
  for (let at = 0; at < bytes.length; at += idBytes) yield bytes.toString('hex', at, at + idBytes);
}
