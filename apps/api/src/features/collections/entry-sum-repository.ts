import type { Collection } from '@docwright/contract';
import type { Model, QueryFilter } from 'mongoose';
import type { EntryRecord, EntryState, EntrySums } from './collection-model.ts';

export async function entrySums(entries: Model<EntryRecord>, filter: QueryFilter<EntryRecord>): Promise<EntrySums> {
  const sums = await entries.aggregate<{
    _id: { state: EntryState; category?: string };
    documents: number;
    pages: number;
    chunks: number;
  }>([
    { $match: filter },
    {
      $group: {
        _id: { state: '$state', category: '$failure.category' },
        documents: { $sum: 1 },
        pages: { $sum: '$pages' },
        chunks: { $sum: '$chunks' },
      },
    },
  ]);
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
