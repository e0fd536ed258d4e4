import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGroupedReads } from './grouped-reads.ts';

it('batches the keys requested before a command is sent, and asks once for equal keys', async () => {
  const requested: (readonly string[])[] = [];
  const read = createGroupedReads(async (keys) => {
    await setImmediate();
    const batch = keys();
    requested.push(batch);
    return new Map(batch.map((key) => [key, `value of ${key}`]));
  });
  const keys = ['a', 'b', 'b', 'a', 'c'];
  expect(await Promise.all(keys.map(read))).toEqual(keys.map((key) => `value of ${key}`));
  expect(requested).toEqual([['a', 'b', 'c']]);
  await Promise.all(Array.from({ length: 250 }, (_, index) => read(`${index}`)));
  expect(requested.slice(1).map(({ length }) => length)).toEqual([100, 100, 50]);
});

it('never answers with a value read before the request', async () => {
  let value = 'old';
  const gate = Promise.withResolvers<void>();
  const read = createGroupedReads(async (keys) => {
    await setImmediate();
    const found = new Map(keys().map((key) => [key, value]));
    await gate.promise;
    return found;
  });
  const first = read('a');
  await setImmediate();
  await setImmediate();
  value = 'new';
  const second = read('a');
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual(['old', 'new']);
});

it('rejects only the requests of a failed command, and resolves unknown keys to undefined', async () => {
  let fails = true;
  const read = createGroupedReads<string>(async (keys) => {
    await setImmediate();
    keys();
    if (!fails) return new Map();
    fails = false;
    throw new Error('gone');
  });
  const failed = await Promise.allSettled([read('a'), read('a')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read('a')).toBeUndefined();
});
