import { expect, it } from 'vitest';
import { createGroupedReads } from './grouped-reads.ts';

it('batches the keys requested during a read, and asks once for equal keys', async () => {
  const requested: (readonly string[])[] = [];
  const read = createGroupedReads(async (batch) => {
    requested.push(batch);
    return new Map(batch.map((key) => [key, `value of ${key}`]));
  });
  const keys = ['a', 'b', 'b', 'a', 'c'];
  expect(await Promise.all(keys.map(read))).toEqual(keys.map((key) => `value of ${key}`));
  expect(requested).toEqual([['a'], ['b', 'a', 'c']]);
  await Promise.all(Array.from({ length: 250 }, (_, index) => read(`${index}`)));
  expect(requested.slice(2).map(({ length }) => length)).toEqual([1, 100, 100, 49]);
});

it('never answers with a value read before the request', async () => {
  let value = 'old';
  const gate = Promise.withResolvers<void>();
  const read = createGroupedReads(async ([key = '']) => {
    const found = new Map([[key, value]]);
    await gate.promise;
    return found;
  });
  const first = read('a');
  value = 'new';
  const second = read('a');
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual(['old', 'new']);
});

it('rejects only the requests of a failed read, and resolves unknown keys to undefined', async () => {
  let fails = true;
  const read = createGroupedReads<string>(async () => {
    if (!fails) return new Map();
    fails = false;
    throw new Error('gone');
  });
  const settled = await Promise.allSettled([read('a'), read('a')]);
  expect(settled).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: undefined }]);
});
