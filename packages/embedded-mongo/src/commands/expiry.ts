import type { BsonDocument } from '../bson/value.ts';
import { Pace } from '../pace.ts';
import type { Storage } from '../storage/storage.ts';
import { changeMatching } from '../storage/change-matching.ts';

/** Deletes what TTL indexes say has expired. Returns how many documents that were. */
export async function deleteExpired(storage: Storage): Promise<number> {
  let deleted = 0;
  for (const collection of storage.collections.values()) {
    for (const index of collection.indexes) {
      const seconds = index.expireAfterSeconds;
      if (seconds === undefined || collection.dropped) continue;
      const expired: BsonDocument = new Map([
        [index.fields[0]!.path, new Map([['$lte', new Date(Date.now() - seconds * 1000)]])],
      ]);
      const filter: BsonDocument = index.partialFilter ? new Map([['$and', [expired, index.partialFilter]]]) : expired;
      deleted += await changeMatching(collection, { filter }, new Pace(), ({ row, document }) => {
        collection.remove(row, document);
      });
    }
  }
  return deleted;
}
