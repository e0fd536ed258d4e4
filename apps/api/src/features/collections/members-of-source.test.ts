import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import type { IdChanges } from '../documents/index.ts';
import type { SourceRepository, StoredSource } from '../sources/index.ts';
import { createMembersOfSources } from './members-of-source.ts';

const id = (number: number) => new mongoose.Types.ObjectId(number.toString(16).padStart(24, '0'));
const packed = (...numbers: number[]) => Buffer.concat(numbers.map((number) => id(number).id));
const kept = (indexed: number[], failed: number[] = []) => [
  { state: 'indexed' as const, ids: new mongoose.mongo.Binary(packed(...indexed)) },
  { state: 'failed' as const, ids: new mongoose.mongo.Binary(packed(...failed)) },
];

/** A source whose database answers these changes, one after the other. */
function sourceAnswering(...answers: (IdChanges | undefined)[]) {
  const asked: string[] = [];
  const sources = {
    idsSince: async (_: StoredSource, known: string) => {
      asked.push(known);
      return answers.shift();
    },
    count: async () => 9,
    among: async (_: StoredSource, ids: readonly string[]) => ids.slice(0, 1),
  } as unknown as SourceRepository;
  return { sources, asked };
}

const source = { id: 'source' } as StoredSource;

it('follows what enters and leaves a source, and begins anew when the documents of the collection change', async () => {
  const { sources, asked } = sourceAnswering(
    { version: 'a', added: packed(1, 2, 7, 8) },
    { version: 'a' },
    { version: 'b', added: packed(3, 4), removed: packed(2, 8) },
    { version: 'c', added: packed(1, 3, 4, 7) },
    { version: 'd', added: packed(5) },
  );
  const members = createMembersOfSources();
  const look = async (packedIds: ReturnType<typeof kept>) => {
    const { inSource, remaining, ids } = await members('collection', packedIds, sources, source);
    return [inSource, remaining.get('indexed'), remaining.get('failed'), ids.size];
  };
  expect(await look(kept([1, 2, 3], [4]))).toEqual([4, 2, 0, 2]);
  expect(await look(kept([1, 2, 3], [4]))).toEqual([4, 2, 0, 2]);
  expect(await look(kept([1, 2, 3], [4]))).toEqual([4, 2, 1, 3]);
  // Its documents are others: nothing that was found counts.
  expect(await look(kept([1], [4]))).toEqual([4, 1, 1, 2]);
  // The database does not know the version any more: what it names are all.
  expect(await look(kept([1], [4]))).toEqual([1, 0, 0, 0]);
  expect(asked).toEqual(['', 'a', 'a', '', 'c']);
});

it('where the database names no changes, it is asked for the documents of the collection each time', async () => {
  const { sources } = sourceAnswering(undefined, undefined);
  const members = createMembersOfSources();
  for (let look = 0; look < 2; look += 1) {
    expect(await members('collection', kept([1, 2], [4]), sources, source)).toEqual({
      inSource: 9,
      remaining: new Map([
        ['indexed', 1],
        ['failed', 0],
      ]),
      ids: new Set([String(id(1))]),
    });
  }
});
