import { expect, test } from 'vitest';
import { maxJsonDepth, whyNotStored } from './stored-json.ts';

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
    expect(whyNotStored(value)).toBeUndefined();
  }
});

test.each([
  ['a NUL in a name', { a: [{ 'b\u0000': 1 }] }, '"b\\u0000"'],
  ['a name of the database’s own', [{ _bsontype: 'ObjectId' }], '"_bsontype"'],
  ['one level too many', nested(maxJsonDepth + 2), '80 levels'],
  ['more levels than a stack has', nested(200_000), '80 levels'],
])('refuses %s with a reason', (_, value, reason) => {
  expect(whyNotStored(value)).toContain(reason);
});
