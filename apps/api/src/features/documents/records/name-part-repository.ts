import { isDeepStrictEqual } from 'node:util';
import type { Connection, mongo } from 'mongoose';
import { findByParts, findsByParts, partsOfName, storesParts } from '../../../platform/database/name-search.ts';

type Update = mongo.UpdateFilter<mongo.Document> | mongo.Document[];
type Filter = mongo.Filter<mongo.Document>;
type New = mongo.Document;

interface Writes {
  insertOne: (record: New, ...options: never[]) => Promise<mongo.InsertOneResult>;
  insertMany: (records: New[], ...options: never[]) => Promise<mongo.InsertManyResult>;
  updateOne: (filter: Filter, update: Update, ...options: never[]) => Promise<mongo.UpdateResult>;
  findOneAndUpdate: (filter: Filter, update: Update, ...options: never[]) => Promise<mongo.Document | null>;
}

const kept = new WeakSet<mongo.Collection>();

/**
 * Extends the writes of names in the documents' collection: where names are found by their parts, these are stored in the
 * same write. Elsewhere it removes them: those that a moved document brought with it, and those of the former name.
 */
export function keepNameParts(connection: Connection, collection: mongo.Collection): void {
  if (kept.has(collection)) return;
  kept.add(collection);
  const own = collection as unknown as Writes;
  const { insertOne, insertMany, updateOne, findOneAndUpdate } = own;

  const withParts = (record: New): New =>
    typeof record['name_key'] === 'string' && findsByParts(connection)
      ? { ...record, name_parts: partsOfName(record['name_key']) }
      : record;
  function extended(update: Update): Update {
    const name = Array.isArray(update) ? undefined : (update.$set as New | undefined)?.['name_key'];
    if (typeof name !== 'string' || Array.isArray(update)) return update;
    const name_parts = partsOfName(name);
    return findsByParts(connection)
      ? { ...update, $set: { ...update.$set, name_parts } }
      : { ...update, $unset: { ...update.$unset, name_parts: 1 } };
  }

  own.insertOne = (record, ...options) => insertOne.call(own, withParts(record), ...options);
  own.insertMany = (records, ...options) => insertMany.call(own, records.map(withParts), ...options);
  own.updateOne = (filter, update, ...options) => updateOne.call(own, filter, extended(update), ...options);
  own.findOneAndUpdate = (filter, update, ...options) =>
    findOneAndUpdate.call(own, filter, extended(update), ...options);
}

const filledAtATime = 500;

/**
 * Stores the parts of names that lack them, of an older release or of a moved database, and lets names be found by them. No
 * process of a release that does not keep parts may run.
 * @param areDoubtful whether such a process can have changed names whose parts were stored before
 */
export async function fillNameParts(
  connection: Connection,
  collection: mongo.Collection,
  areDoubtful: () => Promise<boolean>,
): Promise<void> {
  if (!storesParts(connection)) return;
  if (await areDoubtful()) await removeWrongParts(collection);
  const missing = { name_parts: null, name_key: { $type: 'string' } };
  for (;;) {
    const found = await collection.find(missing, { projection: { name_key: 1 }, limit: filledAtATime }).toArray();
    if (found.length === 0) break;
    await collection.bulkWrite(
      found.map(({ _id, name_key }) => ({
        // Another write of the name stores its own parts.
        updateOne: { filter: { _id, name_key }, update: { $set: { name_parts: partsOfName(name_key as string) } } },
      })),
      { ordered: false },
    );
  }
  findByParts(connection);
}

async function removeWrongParts(collection: mongo.Collection): Promise<void> {
  const projection = { name_key: 1, name_parts: 1 };
  for (let after: mongo.Filter<mongo.Document> = {}; ;) {
    const filter = { ...after, name_parts: { $ne: null }, name_key: { $type: 'string' } };
    const found = await collection.find(filter, { projection, sort: { _id: 1 }, limit: filledAtATime }).toArray();
    const last = found.at(-1);
    if (last === undefined) return;
    const wrong = found.filter(({ name_key, name_parts }) => !isDeepStrictEqual(name_parts, partsOfName(name_key)));
    const ids = wrong.map(({ _id }) => _id);
    if (ids.length > 0) await collection.updateMany({ _id: { $in: ids } }, { $unset: { name_parts: 1 } });
    after = { _id: { $gt: last._id } };
  }
}
