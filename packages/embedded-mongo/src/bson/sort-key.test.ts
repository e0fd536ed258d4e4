import { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { expect, test } from 'vitest';
import { compareValues } from '../values/compare.ts';
import { show } from '../values/show.ts';
import type { BsonValue } from '../values/value.ts';
import { sortKey, valueKey } from './sort-key.ts';

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

const values: BsonValue[] = [
  new MinKey(),
  null,
  new Double(Number.NaN),
  new Double(-Infinity),
  -(2n ** 63n),
  decimal('-1.5'),
  new Double(-1.5),
  -1,
  new Double(-0),
  0,
  decimal('0.1'),
  new Double(0.1),
  decimal('0.1000000000000000000000000000000001'),
  decimal('0.1000000000000000000000000000000002'),
  1,
  2n ** 53n,
  new Double(2 ** 53),
  2n ** 53n + 1n,
  2n ** 62n,
  2n ** 62n + 1n,
  decimal('4611686018427387904.5'),
  2n ** 63n - 1n,
  new Double(1e300),
  new Double(Infinity),
  '',
  'a',
  'a\0',
  'a\0b',
  'ab',
  'b',
  'é',
  '\uffff',
  '😀',
  new Map(),
  new Map([['a', 1]]),
  new Map<string, BsonValue>([
    ['a', 1],
    ['b', 1],
  ]),
  new Map<string, BsonValue>([
    ['2', 1],
    ['1', 1],
  ]),
  new Map([['b', 'x']]),
  [],
  [1],
  [1, 2],
  ['a'],
  new Binary(Buffer.from([1])),
  new Binary(Buffer.from([1, 2])),
  new ObjectId('000000000000000000000001'),
  new ObjectId('ffffffffffffffffffffffff'),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Timestamp(new Long(1, 1)),
  new BSONRegExp('a'),
  new BSONRegExp('a', 'i'),
  new MaxKey(),
];

test('keys order all values as comparison does, ascending and descending', () => {
  const wrong: string[] = [];
  for (const a of values) {
    for (const b of values) {
      const wanted = compareValues(a, b);
      const up = Buffer.compare(valueKey(a), valueKey(b));
      const down = Buffer.compare(sortKey([a], [-1]), sortKey([b], [-1]));
      if (up !== wanted || down !== (wanted === 0 ? 0 : -wanted)) wrong.push(`${show(a)} and ${show(b)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('no key is a prefix of another', () => {
  const keys = values.map(valueKey);
  const prefixes = keys.filter((key) =>
    keys.some((other) => other.length > key.length && other.subarray(0, key.length).equals(key)),
  );
  expect(prefixes).toEqual([]);
});

test('a key larger than the buffer is complete', () => {
  for (const length of [16_380, 16_384, 40_000]) {
    const key = valueKey(['x'.repeat(length), 1, true]);
    expect(key.length).toBe(1 + (1 + length + 1) + (1 + 8 + 1) + (1 + 1) + 1);
    expect(key.subarray(-3)).toEqual(Buffer.from([0x40, 1, 0]));
  }
});
