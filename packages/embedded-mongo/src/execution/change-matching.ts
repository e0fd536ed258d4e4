import { decodeDocument } from '../bson/decode.ts';
import type { Yielder } from '../event-loop/yielder.ts';
import { noVariables } from '../expression/scope.ts';
import { compileFilter } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import type { StoredCollection } from '../storage/collection.ts';
import type { BsonDocument } from '../values/value.ts';
import { findHits } from './find.ts';
import type { CollectionQuery } from './query.ts';

/** A document that a write is about to change, in its current state. */
export interface Target {
  row: number;
  bytes: Buffer;
  document: BsonDocument;
  positions: Positions;
}

/**
 * Calls `change` for each matching document, in the turn of the event loop in which it is read. Other commands can
 * write while the search yields, so each document is read again and must still match. With `limit: 1`, the search
 * restarts when a concurrent write changed its document. Without a match, calls `onNoMatch` in the same turn. Returns
 * the number of changed documents.
 */
export async function changeMatching(
  collection: StoredCollection,
  query: CollectionQuery,
  yielder: Yielder,
  change: (target: Target) => void,
  onNoMatch: () => void = () => undefined,
): Promise<number> {
  const matches = compileFilter(query.filter, query.variables ?? noVariables);
  const isSingle = query.limit === 1;
  for (;;) {
    const { version } = collection;
    const hits = await findHits(collection, { ...query, wantBytes: false }, yielder);
    let changed = 0;
    for (const { id } of hits) {
      const target = readTarget(collection, id, matches);
      if (target) {
        change(target);
        changed++;
      }
      if (yielder.isDue && !isSingle) await yielder.yield();
    }
    if (!isSingle || changed > 0 || version === collection.version) {
      if (changed === 0) onNoMatch();
      return changed;
    }
    if (yielder.isDue) await yielder.yield();
  }
}

function readTarget(
  collection: StoredCollection,
  row: number,
  matches: (document: BsonDocument, positions: Positions) => boolean,
): Target | undefined {
  const bytes = collection.isDropped ? undefined : collection.read(row);
  if (!bytes) return undefined;
  const document = decodeDocument(bytes);
  const positions: Positions = new Map();
  return matches(document, positions) ? { row, bytes, document, positions } : undefined;
}
