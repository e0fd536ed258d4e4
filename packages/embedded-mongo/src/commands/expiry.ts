import type { BsonDocument } from '../bson/value.ts';
import { Yielder } from '../yielder.ts';
import type { Storage } from '../storage/storage.ts';
import { changeMatching } from '../storage/change-matching.ts';

/** Deletes the documents that have expired by a TTL index. Returns their number. */
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
      deleted += await changeMatching(collection, { filter }, new Yielder(), ({ row, document }) => {
        collection.remove(row, document);
      });
    }
  }
  return deleted;
}
