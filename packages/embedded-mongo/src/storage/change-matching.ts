import { decodeDocument } from '../bson/decode.ts';
import type { BsonDocument } from '../bson/value.ts';
import type { Pace } from '../pace.ts';
import { compileFilter, noVariables } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import type { Collection } from './collection.ts';
import { findHits, type Query } from './query.ts';

/** A document that a write is about to change, as it is at this moment. */
export interface Target {
  row: number;
  bytes: Buffer;
  document: BsonDocument;
  positions: Positions;
}

/**
 * Calls `change` for each document that matches, in the same turn in which it is read. A search may wait while others
 * write, so each document is read again and must still match. Returns how many were changed; with `limit: 1` the search
 * begins anew when its document was taken by another write, and 0 means that at that moment none matched.
 */
export async function changeMatching(
  collection: Collection,
  query: Query,
  pace: Pace,
  change: (target: Target) => void,
  onNone: () => void = () => undefined,
): Promise<number> {
  const matches = compileFilter(query.filter, query.variables ?? noVariables);
  const only = query.limit === 1;
  for (;;) {
    const { version } = collection;
    const hits = await findHits(collection, { ...query, wantBytes: false }, pace);
    let changed = 0;
    for (const { id } of hits) {
      const target = readTarget(collection, id, matches);
      if (target) {
        change(target);
        changed++;
      }
      if (pace.isDue && !only) await pace.rest();
    }
    if (!only || changed > 0 || version === collection.version) {
      if (changed === 0) onNone();
      return changed;
    }
    if (pace.isDue) await pace.rest();
  }
}

function readTarget(
  collection: Collection,
  row: number,
  matches: (document: BsonDocument, positions: Positions) => boolean,
): Target | undefined {
  const bytes = collection.dropped ? undefined : collection.read(row);
  if (!bytes) return undefined;
  const document = decodeDocument(bytes);
  const positions: Positions = new Map();
  return matches(document, positions) ? { row, bytes, document, positions } : undefined;
}
