import { stat } from 'node:fs/promises';
import { databaseFile, startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient, type Collection, type Db, type Document } from 'mongodb';
import { databaseName } from '../platform/database/connection.ts';
import { StartError } from './start-error.ts';

/** What was copied. */
interface Moved {
  collections: number;
  records: number;
}

interface MoveOptions {
  dataDir: string;
  /** The other database, a MongoDB server. */
  uri: string;
  /** `to` the server from the data directory, or back `from` it into a new data directory. */
  direction: 'to' | 'from';
  log?: (line: string) => void;
}

const batchSize = 500;
const serverTimeoutMs = 10_000;

/**
 * Copies everything between the embedded database of a data directory and a MongoDB server: all collections with files, in
 * their types, and all indexes. The target must be empty; if the copy fails, it is empty again. The source stays as it is.
 * @throws StartError with the reason, in one line.
 */
export async function moveDatabase({ dataDir, uri, direction, log }: MoveOptions): Promise<Moved> {
  const hasDatabase = await exists(databaseFile(dataDir));
  if (direction === 'to' && !hasDatabase)
    throw new StartError(`No database exists in ${dataDir}: set DATA_DIR to the server's data folder.`);
  if (direction === 'from' && hasDatabase)
    throw new StartError(`${dataDir} has a database: set DATA_DIR to a new folder, or move that one away.`);
  const server = await connect(uri);
  try {
    const embedded = await startEmbeddedMongo({ dataDir });
    try {
      const client = await MongoClient.connect(embedded.uri);
      try {
        const [ours, theirs] = [client.db(databaseName(embedded.uri)), server.db(databaseName(uri))];
        const [source, target] = direction === 'to' ? [ours, theirs] : [theirs, ours];
        return await copyInto(target, source, log);
      } finally {
        await client.close();
      }
    } finally {
      await embedded.stop();
    }
  } finally {
    await server.close();
  }
}

async function connect(uri: string): Promise<MongoClient> {
  try {
    return await MongoClient.connect(uri, { serverSelectionTimeoutMS: serverTimeoutMs });
  } catch (error) {
    // The address can have a password.
    throw new StartError(`The MongoDB server does not answer: ${(error as Error).message}`);
  }
}

async function copyInto(target: Db, source: Db, log: MoveOptions['log']): Promise<Moved> {
  const names = await namesOf(source);
  if (names.length === 0) throw new StartError('The source is empty. Check the address and the name of its database.');
  for (const name of await namesOf(target)) {
    if ((await target.collection(name).findOne({})) !== null)
      throw new StartError(`The target is not empty (${name} has records): name another database, or drop that one.`);
  }
  const moved: Moved = { collections: 0, records: 0 };
  try {
    for (const name of names) {
      const records = await copyCollection(source.collection(name), target.collection(name));
      moved.collections += 1;
      moved.records += records;
      log?.(`${name}: ${records}`);
    }
    return moved;
  } catch (error) {
    for (const name of names) await target.dropCollection(name).catch(() => false);
    throw error instanceof StartError ? error : new StartError(`The copy failed: ${(error as Error).message}`);
  }
}

async function namesOf(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

/** The number of copied records. Indexes follow, so that none expires a record during the copy. */
async function copyCollection(source: Collection, target: Collection): Promise<number> {
  // Without conversions, so that each value keeps its type.
  const cursor = source.find({}, { promoteValues: false, promoteBuffers: false, batchSize }).sort({ _id: 1 });
  let batch: Document[] = [];
  let records = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await target.insertMany(batch, { ordered: true });
    records += batch.length;
    batch = [];
  };
  for await (const record of cursor) {
    batch.push(record);
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  const indexes = (await source.indexes()).filter(({ name }) => name !== '_id_').map(definitionOf);
  if (records === 0) await target.db.createCollection(target.collectionName);
  if (indexes.length > 0) await target.createIndexes(indexes as Parameters<Collection['createIndexes']>[0]);
  const [before, after] = [await source.countDocuments({}), await target.countDocuments({})];
  const hasExpired = indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  if (before !== records && !hasExpired)
    throw new StartError(`${source.collectionName} changed during the copy: stop all servers and repeat the command.`);
  if (after !== records && !hasExpired)
    throw new StartError(`${source.collectionName} has ${records} records, but ${after} arrived. Repeat the command.`);
  return records;
}

/**
 * An index as it was created: a MongoDB server lists text indexes and versions in its own form.
 *
 * @example
 * definitionOf({ v: 2, name: 'words', key: { _fts: 'text', _ftsx: 1 }, weights: { text: 1 } }).key // { text: 'text' }
 */
export function definitionOf(index: { key: Document } & Document): Document {
  const { v: _v, ns: _ns, textIndexVersion: _text, key, weights, ...rest } = index;
  if (weights === undefined) return { ...rest, key };
  const own = Object.entries(key).filter(([field]) => field !== '_fts' && field !== '_ftsx');
  const words = Object.keys(weights as Document).map((field) => [field, 'text'] as const);
  const plain = own.filter(([field]) => !words.some(([word]) => word === field));
  return { ...rest, weights, key: Object.fromEntries([...plain, ...words]) };
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
