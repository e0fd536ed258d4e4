import type { Collection, Db, Document } from 'mongodb';
import { isUnfinished, unfinishedCopy } from '../../platform/database/unfinished-copy.ts';
import { StartError } from '../start-error.ts';
import {
  bytesOf,
  contentOf,
  firstDifference,
  namesOf,
  recordOf,
  sumOfContent,
  type Content,
  type DatabaseContent,
} from './database-content.ts';

/** What was copied. */
export interface Copied {
  collections: number;
  records: number;
}

/** A database with records, and what the operator is told of the progress. */
interface CopyOptions {
  target: Db;
  source: Db;
  log?: ((line: string) => void) | undefined;
}

/** A batch ends with the record that reaches either. */
const batchRecords = 500;
const batchBytes = 8_000_000;

/**
 * Copies all collections with their records, byte by byte, and all indexes into an empty database. Each collection is read back from the
 * target and compared by its SHA-256; at the end the source is read once more. An interrupted copy goes on with the
 * collections that are not alike; until it is whole, `unfinished_copy` in the target says so, and no server starts there.
 * @throws StartError with the reason, in one line.
 */
export async function copyDatabase({ target, source, log }: CopyOptions): Promise<Copied> {
  if (await isUnfinished(source))
    throw new StartError('The source is itself an unfinished copy: repeat the command that was interrupted.');
  const names = await namesOf(source);
  if (names.length === 0) throw new StartError('The source is empty. Check the address and the name of its database.');
  const goesOn = await isUnfinished(target);
  await requireEmpty(target, goesOn ? names : []);
  try {
    if (!goesOn) await target.collection(unfinishedCopy).insertOne({ begun_at: new Date() });
    const contents: DatabaseContent = {};
    for (const name of names) {
      const [from, to] = [source.collection(name), target.collection(name)];
      const kept = goesOn ? await contentIfAlike(from, to) : undefined;
      contents[name] = kept ?? (await copyRecords(from, to));
      await copyIndexes(from, to);
      log?.(`${name}: ${contents[name].records}${kept === undefined ? '' : ' (copied before)'}`);
    }
    await requireUnchanged(source, contents);
    await target.collection(unfinishedCopy).drop();
    const records = Object.values(contents).reduce((sum, content) => sum + content.records, 0);
    return { collections: names.length, records };
  } catch (error) {
    const reason = error instanceof StartError ? error.message : `The copy failed: ${(error as Error).message}`;
    throw new StartError(`${reason} Repeat the command to go on.`);
  }
}

async function requireEmpty(target: Db, exceptFor: string[]): Promise<void> {
  for (const name of await namesOf(target)) {
    if (!exceptFor.includes(name) && (await target.collection(name).findOne({})) !== null)
      throw new StartError(`The target is not empty (${name} has records): name another database, or drop that one.`);
  }
}

async function contentIfAlike(source: Collection, target: Collection): Promise<Content | undefined> {
  const [before, after] = [await source.countDocuments({}), await target.countDocuments({})];
  if (before !== after) return undefined;
  const [content, arrived] = [await contentOf(source), await contentOf(target)];
  return content.sha256 === arrived.sha256 ? content : undefined;
}

/** Copies and compares the records. Indexes follow, so that none expires a record meanwhile. */
async function copyRecords(source: Collection, target: Collection): Promise<Content> {
  await empty(target);
  const sum = sumOfContent();
  let batch: Document[] = [];
  let size = 0;
  const flush = async () => {
    if (batch.length > 0) await insert(target, batch);
    [batch, size] = [[], 0];
  };
  for await (const bytes of bytesOf(source)) {
    sum.add(bytes);
    batch.push(recordOf(bytes));
    size += bytes.length;
    if (batch.length >= batchRecords || size >= batchBytes) await flush();
  }
  await flush();
  const [content, arrived] = [sum.content(), await contentOf(target)];
  if (arrived.sha256 === content.sha256) return content;
  const id = await firstDifference(source, target);
  throw new StartError(
    `${source.collectionName} differs: ${content.records} records were read and ${arrived.records} arrived; the first that is not alike has the _id ${id ?? 'unknown'}.`,
  );
}

/** Removes what an interrupted copy left. Indexes that the operator created stay, those that expire records do not. */
async function empty(target: Collection): Promise<void> {
  if ((await target.findOne({}, { projection: { _id: 1 } })) !== null) await target.deleteMany({});
  const indexes = await target.indexes().catch(() => []);
  for (const { name, expireAfterSeconds } of indexes)
    if (name !== undefined && expireAfterSeconds !== undefined) await target.dropIndex(name);
}

/** As a command: `insertMany` takes no maps. */
async function insert(target: Collection, documents: Document[]): Promise<void> {
  const reply = await target.db.command({
    insert: target.collectionName,
    documents,
    ordered: true,
    writeConcern: { w: 'majority' },
  });
  const [refused] = (reply['writeErrors'] ?? []) as { errmsg: string }[];
  if (refused !== undefined) throw new Error(`${target.collectionName}: ${refused.errmsg}`);
}

async function copyIndexes(source: Collection, target: Collection): Promise<void> {
  if ((await target.db.listCollections({ name: target.collectionName }).toArray()).length === 0)
    await target.db.createCollection(target.collectionName);
  const indexes = (await source.indexes()).filter(({ name }) => name !== '_id_').map(definitionOf);
  if (indexes.length > 0) await target.createIndexes(indexes as Parameters<Collection['createIndexes']>[0]);
}

/** The source must be what was read of it. Records that an index expires may be gone. */
async function requireUnchanged(source: Db, contents: DatabaseContent): Promise<void> {
  for (const [name, content] of Object.entries(contents)) {
    const collection = source.collection(name);
    const indexes = await collection.indexes();
    if (indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)) continue;
    if ((await contentOf(collection)).sha256 !== content.sha256)
      throw new StartError(`${name} changed during the copy: stop all servers.`);
  }
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
