import type { Collection } from '@docwright/contract';
import mongoose, { type Model, type QueryFilter, type Types } from 'mongoose';
import type { EntryRecord, EntryState, EntrySums, KeptProgress } from './collection-model.ts';

interface Group {
  _id: { state: EntryState; category?: string };
  documents: number;
  pages: number;
  chunks: number;
  ids: Types.ObjectId[];
}

export const entrySums = async (entries: Model<EntryRecord>, filter: QueryFilter<EntryRecord>): Promise<EntrySums> =>
  sumsOf(await groupsOf(entries, filter));

/** Also the ids of the documents, one after another, by state. */
export async function entrySumsAndIds(
  entries: Model<EntryRecord>,
  filter: QueryFilter<EntryRecord>,
): Promise<EntrySums & Pick<Required<KeptProgress>, 'ids'>> {
  const groups = await groupsOf(entries, filter, { ids: { $push: '$document_id' } });
  const ids = [...Map.groupBy(groups, ({ _id }) => _id.state)].map(([state, own]) => ({
    state,
    ids: new mongoose.mongo.Binary(Buffer.concat(own.flatMap((group) => group.ids.map(({ id }) => id)))),
  }));
  return { ...sumsOf(groups), ids };
}

async function groupsOf(
  entries: Model<EntryRecord>,
  filter: QueryFilter<EntryRecord>,
  more: { ids?: { $push: string } } = {},
): Promise<Group[]> {
  return await entries.aggregate<Group>([
    { $match: filter },
    {
      $group: {
        _id: { state: '$state', category: '$failure.category' },
        documents: { $sum: 1 },
        pages: { $sum: '$pages' },
        chunks: { $sum: '$chunks' },
        ...more,
      },
    },
  ]);
}

function sumsOf(sums: readonly Group[]): EntrySums {
  const byState = Map.groupBy(sums, ({ _id }) => _id.state);
  const failed = byState.get('failed') ?? [];
  return {
    states: [...byState].map(([state, own]) => {
      const total = (field: 'documents' | 'pages' | 'chunks') => own.reduce((sum, each) => sum + each[field], 0);
      return { state, documents: total('documents'), pages: total('pages'), chunks: total('chunks') };
    }),
    failures: failed
      .map(({ _id, documents }) => ({ category: _id.category ?? '', documents }))
      .toSorted((a, b) => b.documents - a.documents || (a.category < b.category ? -1 : 1)),
  };
}

/** The sums without those of some of the documents. */
export function without(all: EntrySums, hidden: EntrySums): EntrySums {
  return {
    states: all.states.map((own) => {
      const less = hidden.states.find(({ state }) => state === own.state);
      const left = (field: 'documents' | 'pages' | 'chunks') => own[field] - (less?.[field] ?? 0);
      return { state: own.state, documents: left('documents'), pages: left('pages'), chunks: left('chunks') };
    }),
    failures: all.failures.map(({ category, documents }) => {
      const less = hidden.failures.find((other) => other.category === category);
      return { category, documents: documents - (less?.documents ?? 0) };
    }),
  };
}

export function progressOf({ states }: EntrySums): Collection['progress'] {
  const documentsIn = (state: EntryState) => states.find((own) => own.state === state)?.documents ?? 0;
  const remaining = states.filter(({ state }) => state !== 'leaving');
  const total = (field: 'documents' | 'pages' | 'chunks') => remaining.reduce((sum, own) => sum + own[field], 0);
  return {
    documents: total('documents'),
    waiting: documentsIn('waiting'),
    indexed: documentsIn('indexed'),
    failed: documentsIn('failed'),
    pages: total('pages'),
    chunks: total('chunks'),
  };
}

/** The documents of a collection, by state. */
export type Contents = ReadonlyMap<EntryState, Types.ObjectId[]>;

export const idBytes = 12;
const bytesInStep = 10_000 * idBytes;

/** Reads the kept ids of documents. */
export function contentsOf(kept: NonNullable<KeptProgress['ids']>): Contents {
  return new Map(
    kept.map(({ state, ids }) => {
      const bytes = Buffer.from(ids.buffer).subarray(0, ids.position);
      const count = bytes.length / idBytes;
      const idAt = (at: number) => new mongoose.Types.ObjectId(bytes.subarray(at * idBytes, (at + 1) * idBytes));
      return [state, Array.from({ length: count }, (_, at) => idAt(at))];
    }),
  );
}

/** Those of these documents that a collection has; all of them if its kept ids are not known. */
export function idsWithin(kept: KeptProgress['ids'], ids: readonly Types.ObjectId[]): Types.ObjectId[] {
  if (kept === undefined || ids.length === 0) return [...ids];
  // A million ids are compared by their last bytes, without an object for each.
  const byEnd = groupedByEnd(ids);
  const found = new Set<Types.ObjectId>();
  for (const { ids: some } of kept) for (const id of idsInSteps(byEnd, packedBytes(some))) if (id) found.add(id);
  return ids.filter((id) => found.has(id));
}

export const packedBytes = ({ buffer, position }: mongoose.mongo.Binary): Buffer =>
  Buffer.from(buffer.buffer, buffer.byteOffset, position);

export const groupedByEnd = (ids: readonly Types.ObjectId[]): Map<number, Types.ObjectId[]> =>
  Map.groupBy(ids, ({ id }) => Buffer.from(id).readUInt32BE(idBytes - 4));

/** Those of grouped ids that are among others, 12 bytes each; undefined after each step of these. */
export function* idsInSteps(
  byEnd: ReadonlyMap<number, readonly Types.ObjectId[]>,
  bytes: Buffer,
): Generator<Types.ObjectId | undefined> {
  for (let at = 0; at < bytes.length; at += idBytes) {
    const candidates = byEnd.get(bytes.readUInt32BE(at + idBytes - 4));
    for (const id of candidates ?? []) if (bytes.compare(id.id, 0, idBytes, at, at + idBytes) === 0) yield id;
    if (at % bytesInStep === bytesInStep - idBytes) yield undefined;
  }
}
