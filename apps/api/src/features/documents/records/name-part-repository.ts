import type { Connection, mongo } from 'mongoose';
import { findsByParts, partsOfName } from '../../../platform/database/name-search.ts';

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
 * same write. The embedded database removes those that a moved document brought with it.
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

/** Stores the parts of names that lack them: of an older release that ran beside this one, or of a moved database. */
export async function fillNameParts(connection: Connection, collection: mongo.Collection): Promise<void> {
  if (!findsByParts(connection)) return;
  const missing = { name_parts: null, name_key: { $type: 'string' } };
  for (;;) {
    const found = await collection.find(missing, { projection: { name_key: 1 }, limit: filledAtATime }).toArray();
    if (found.length === 0) return;
    await collection.bulkWrite(
      found.map(({ _id, name_key }) => ({
        // Another write of the name stores its own parts.
        updateOne: { filter: { _id, name_key }, update: { $set: { name_parts: partsOfName(name_key as string) } } },
      })),
      { ordered: false },
    );
  }
}
