import { expect, it } from 'vitest';
import { createGroupedReads } from './grouped-reads.ts';

it('asks together for what is wanted while a command is under way, and once for the same', async () => {
  const asked: (readonly string[])[] = [];
  const read = createGroupedReads(async (keys) => {
    asked.push(keys);
    return new Map(keys.map((key) => [key, `value of ${key}`]));
  });
  const wanted = ['a', 'b', 'b', 'a', 'c'];
  expect(await Promise.all(wanted.map(read))).toEqual(wanted.map((key) => `value of ${key}`));
  expect(asked).toEqual([['a'], ['b', 'a', 'c']]);
  await Promise.all(Array.from({ length: 250 }, (_, index) => read(`${index}`)));
  expect(asked.slice(2).map(({ length }) => length)).toEqual([1, 100, 100, 49]);
});

it('never answers with what was read before it was asked', async () => {
  let value = 'old';
  const under = Promise.withResolvers<void>();
  const read = createGroupedReads(async ([key = '']) => {
    const found = new Map([[key, value]]);
    await under.promise;
    return found;
  });
  const first = read('a');
  value = 'new';
  const second = read('a');
  under.resolve();
  expect(await Promise.all([first, second])).toEqual(['old', 'new']);
});

it('fails for those who wait for a failed command, and finds nothing where there is nothing', async () => {
  let fails = true;
  const read = createGroupedReads<string>(async () => {
    if (!fails) return new Map();
    fails = false;
    throw new Error('gone');
  });
  const settled = await Promise.allSettled([read('a'), read('a')]);
  expect(settled).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: undefined }]);
});
