import { expect, test } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createNameIndex, hasInAnyCase, patternOf } from './name-search.ts';

test.each(['a.b*c', '(x|y)', '[z]{2}', '^$', 'back\\slash', 'ideographic　space', 'a b-c/d#e', '+?'])(
  '"%s" matches itself, with escapes that MongoDB knows',
  (text) => {
    expect(new RegExp(`^${patternOf(text)}$`, 'u').test(text)).toBe(true);
    expect(patternOf(text)).not.toMatch(/(?<!\\)\\[a-z]/i);
    expect(hasInAnyCase(text)).toEqual({ $regex: patternOf(text), $options: 'i' });
  },
);

test('the index of names is created once, and finds names from before it and later ones', async () => {
  const connection = await connectTestDatabase();
  try {
    const names = connection.collection('names');
    const index = { collection: 'names', path: 'name', parts: 'parts', within: ['owner'], order: { _id: 1 } } as const;
    await names.insertOne({ name: 'invoice 4711.pdf', owner: 1 });
    for (let time = 0; time < 2; time += 1) await createNameIndex(connection, index);
    await names.insertOne({ name: 'contract 4711.pdf', owner: 2 });
    expect(await names.countDocuments({ owner: 2, name: { $regex: 'act 47' } })).toBe(1);
    expect(await names.countDocuments({ owner: 2, name: { $regex: 'ice 47' } })).toBe(0);
  } finally {
    await connection.close();
  }
});
