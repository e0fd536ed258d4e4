import { expect, test } from 'vitest';
import { maxJsonDepth, reasonNotStorable } from './stored-json.ts';

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`);

test('accepts unusual values that a database can store', () => {
  for (const value of [
    null,
    1,
    '\u0000',
    [],
    { '': 1, $where: 1, 'a.b': { _id: ['_bsontype'] } },
    nested(maxJsonDepth),
  ]) {
    expect(reasonNotStorable(value)).toBeUndefined();
  }
});

test.each([
  ['a NUL in a name', { a: [{ 'b\u0000': 1 }] }, '"b\\u0000"'],
  ['a name that the database reserves', [{ _bsontype: 'ObjectId' }], '"_bsontype"'],
  ['one level too many', nested(maxJsonDepth + 2), '80 levels'],
  ['more levels than a call stack can hold', nested(200_000), '80 levels'],
])('refuses %s with a reason', (_, value, reason) => {
  expect(reasonNotStorable(value)).toContain(reason);
});
