import { expect, test } from 'vitest';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { neededFields, projectedFields } from './needed-fields.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const sum = doc({ $sum: '$pages.count' });

test.each<[string, string, BsonValue, string[] | undefined]>([
  ['a group of fields', '$group', doc({ _id: doc({ state: '$state' }), sum }), ['pages', 'state']],
  [
    'a group of a condition',
    '$group',
    doc({ _id: null, n: doc({ $sum: doc({ $cond: ['$a', 1, '$b.c'] }) }) }),
    ['a', 'b'],
  ],
  ['a group of whole documents', '$group', doc({ _id: '$a', all: doc({ $push: '$$ROOT' }) }), undefined],
  ['a field by an expression', '$group', doc({ _id: doc({ $getField: 'a' }) }), undefined],
  ['a projection', '$project', doc({ _id: 0, a: 1, b: '$c.d' }), ['_id', 'a', 'b', 'c']],
  ['a projection that leaves fields out', '$project', doc({ a: 0 }), undefined],
  ['another stage', '$unwind', '$a', undefined],
])('%s: the fields that it needs', (_, name, argument, expected) => {
  expect([...(neededFields(name, argument) ?? [])].toSorted()).toEqual(expected ?? []);
  expect(neededFields(name, argument) === undefined).toBe(expected === undefined);
});

test.each<[Record<string, BsonValue>, string[] | undefined]>([
  [{ a: 1, 'b.c': true, _id: 0 }, ['_id', 'a', 'b']],
  [{ _id: 1 }, ['_id']],
  [{ _id: 0 }, undefined],
  [{ a: 0 }, undefined],
  [{ 'a.$': 1 }, undefined],
  [{ a: doc({ $slice: 1 }) }, undefined],
])('a projection of %j takes these fields', (projection, expected) => {
  const fields = projectedFields(doc(projection));
  expect(fields && [...fields].toSorted()).toEqual(expected);
});
