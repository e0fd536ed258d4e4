import { LruMap } from 'toad-cache';
import { inTurns, type Steps } from '../../platform/long-values/in-turns.ts';
import type { IdChanges } from '../documents/index.ts';
import type { SourceRepository, StoredSource } from '../sources/index.ts';
import type { EntryState, KeptProgress } from './collection-model.ts';
import { packedBytes, contentsOf, groupedByEnd, idBytes, idsInSteps } from './entry-sum-repository.ts';

type PackedIds = NonNullable<KeptProgress['ids']>;

/** The documents of a collection that are still in its source. */
interface MembersOfSource {
  /** The number of all documents of the source. */
  inSource: number;
  remaining: ReadonlyMap<EntryState, number>;
  /** The ids of those of the collection that are in it. */
  ids: ReadonlySet<string>;
}

interface KeptMembers extends MembersOfSource {
  version: string;
  packed: PackedIds;
}

/** So many collections: about a megabyte for each. */
const maxKept = 20;

/**
 * Compares collections with their sources. What was found is kept in memory, so that a look costs what has changed since the last one, where
 * the database can say that.
 */
export function createMembersOfSources() {
  const kept = new LruMap<KeptMembers>(maxKept);

  async function measured(
    sources: SourceRepository,
    source: StoredSource,
    packed: PackedIds,
  ): Promise<MembersOfSource> {
    const contents = [...contentsOf(packed).values()].flat().map((id) => id.toHexString());
    const [inSource, among] = await Promise.all([sources.count(source), sources.among(source, contents)]);
    return membersOf(packed, inSource, new Set(among));
  }

  return async (
    collectionId: string,
    packed: PackedIds,
    sources: SourceRepository,
    source: StoredSource,
  ): Promise<MembersOfSource> => {
    const found = kept.get(collectionId);
    const last = found && areSame(found.packed, packed) ? found : undefined;
    const changes = await sources.idsSince(source, last?.version ?? '');
    if (changes === undefined) return await measured(sources, source, packed);
    if (last && changes.added === undefined) return last;
    const now = await changed(packed, changes.removed && last, changes);
    kept.set(collectionId, now);
    return now;
  };
}

async function changed(
  packed: PackedIds,
  last: KeptMembers | undefined,
  { version, added = Buffer.alloc(0), removed = Buffer.alloc(0) }: IdChanges,
): Promise<KeptMembers> {
  const byEnd = groupedByEnd([...contentsOf(packed).values()].flat());
  const ids = new Set(last?.ids);
  function* apply(): Steps<void> {
    for (const id of idsInSteps(byEnd, removed)) {
      if (id) ids.delete(id.toHexString());
      else yield;
    }
    for (const id of idsInSteps(byEnd, added)) {
      if (id) ids.add(id.toHexString());
      else yield;
    }
  }
  await inTurns(apply());
  const inSource = (last?.inSource ?? 0) + (added.length - removed.length) / idBytes;
  return { ...membersOf(packed, inSource, ids), version, packed };
}

function membersOf(packed: PackedIds, inSource: number, ids: ReadonlySet<string>): MembersOfSource {
  const remaining = [...contentsOf(packed)].map(
    ([state, own]) => [state, own.filter((id) => ids.has(id.toHexString())).length] as const,
  );
  return { inSource, remaining: new Map(remaining), ids };
}

const areSame = (some: PackedIds, others: PackedIds): boolean =>
  some.length === others.length &&
  some.every(
    ({ state, ids }, at) => state === others[at]!.state && packedBytes(ids).equals(packedBytes(others[at]!.ids)),
  );
