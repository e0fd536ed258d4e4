import { EJSON, type Document } from 'bson';
import { deserialize, serialize } from 'bson';
import { expect, test } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { compileFilter } from '../query/filter.ts';
import type { Positions } from '../query/predicate.ts';
import type { BsonDocument } from '../values/value.ts';
import { upsertedDocument } from './apply-update.ts';
import { compileUpdate } from './update.ts';

const toMap = (document: Document): BsonDocument => decodeDocument(Buffer.from(serialize(document)));
const fromMap = (document: BsonDocument): Document => deserialize(encodeDocument(document));

function updated(
  document: Document,
  update: Document | Document[],
  filter: Document = {},
  arrayFilters: Document[] = [],
): Document {
  const wrapped = toMap({ u: update });
  const compiled = compileUpdate(wrapped.get('u'), arrayFilters.map(toMap));
  const positions: Positions = new Map();
  compileFilter(toMap(filter))(toMap(document), positions);
  return fromMap(compiled.apply(toMap(document), { positions }));
}

test.each<[string, Document, Document | Document[], Document]>([
  ['sets a path and creates missing documents', { a: 1 }, { $set: { 'b.c': 2, a: 3 } }, { a: 3, b: { c: 2 } }],
  ['pads an array with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  ['unsets an array element to null', { a: [1, 2] }, { $unset: { 'a.0': 1, b: 1 } }, { a: [null, 2] }],
  ['renames', { a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
  ['keeps the minimum and the maximum', { a: 5, b: 5 }, { $min: { a: 3 }, $max: { b: 3 } }, { a: 3, b: 5 }],
  [
    'pushes, sorts and slices',
    { a: [3, 1] },
    { $push: { a: { $each: [2, 5], $sort: -1, $slice: 3 } } },
    { a: [5, 3, 2] },
  ],
  ['slices a new array', {}, { $push: { a: { $each: [1, 2, 3], $slice: -2 } } }, { a: [2, 3] }],
  ['pushes at a position', { a: [1, 4] }, { $push: { a: { $each: [2, 3], $position: 1 } } }, { a: [1, 2, 3, 4] }],
  [
    'adds new elements to a set',
    { a: [{ x: 1 }] },
    { $addToSet: { a: { $each: [{ x: 1 }, { x: 2 }] } } },
    { a: [{ x: 1 }, { x: 2 }] },
  ],
  ['pulls by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['pulls documents by their fields', { a: [{ x: 1, y: 2 }, { x: 2 }] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }] }],
  ['pops at both ends', { a: [1, 2, 3], b: [1, 2, 3] }, { $pop: { a: 1, b: -1 } }, { a: [1, 2], b: [2, 3] }],
  ['computes bits', { a: 13 }, { $bit: { a: { and: 10 } } }, { a: 8 }],
  ['sets a field to null', { a: null }, { $set: { b: null } }, { a: null, b: null }],
  ['replaces', { _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
  ['runs a pipeline', { _id: 1, a: 2 }, [{ $set: { b: { $add: ['$a', 1] } } }, { $unset: 'a' }], { _id: 1, b: 3 }],
])('%s', (_, before, update, after) => {
  expect(updated(before, update)).toEqual(after);
});

test('$ is the element that the filter matched, $[] every element, $[name] the elements of an array filter', () => {
  const before = {
    a: [
      { x: 1, n: 0 },
      { x: 2, n: 0 },
      { x: 2, n: 0 },
    ],
  };
  expect(updated(before, { $inc: { 'a.$.n': 1 } }, { 'a.x': 2 })['a'].map((e: Document) => e['n'])).toEqual([0, 1, 0]);
  expect(updated(before, { $inc: { 'a.$[].n': 1 } })['a'].map((e: Document) => e['n'])).toEqual([1, 1, 1]);
  const filtered = updated(before, { $inc: { 'a.$[two].n': 1 } }, {}, [{ 'two.x': 2 }]);
  expect(filtered['a'].map((e: Document) => e['n'])).toEqual([0, 1, 1]);
});

test.each<[string, Document, Document | Document[], number]>([
  ['$inc of a string', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['a path through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['a path through null', { a: null }, { $set: { 'a.b': 1 } }, 28],
  ['two changes of one path', {}, { $set: { a: 1 }, $inc: { 'a.b': 1 } }, 40],
  ['two changes of one path with another between them', {}, { $set: { a: 1, 'a-b': 1 }, $inc: { 'a.b': 1 } }, 40],
  ['a change of _id', { _id: 1 }, { $set: { _id: 2 } }, 66],
  ['a replacement with another _id', { _id: 1 }, { _id: 2 }, 66],
  ['an unknown operator', {}, { $put: { a: 1 } }, 9],
  ['$push to a string', { a: 'x' }, { $push: { a: 1 } }, 2],
  ['an unknown clause of $push', { a: [] }, { $push: { a: { $each: [], $first: 1 } } }, 2],
  ['an empty part of a path', {}, { $set: { 'a..b': 1 } }, 56],
  ['a field that starts with a dollar sign', {}, { a: 1, $b: 1 }, 52],
  ['a stage that makes several documents', {}, [{ $unwind: '$a' }], 72],
  ['an overflow of int64', { a: 2n ** 63n - 1n }, { $inc: { a: 1 } }, 2],
])('rejects %s', (_, before, update, code) => {
  expect(() => updated(before, update)).toThrow(expect.objectContaining({ code }));
});

test('an upsert starts with the values that the filter requires', () => {
  const filter = toMap({ a: 1, 'b.c': { $eq: 2 }, d: { $gt: 3 }, $and: [{ e: { $in: [4] } }], f: null });
  const inserted = upsertedDocument(filter, compileUpdate(toMap({ $set: { g: 5 }, $setOnInsert: { h: 6 } })));
  const { _id, ...rest } = fromMap(inserted);
  expect(EJSON.stringify(_id)).toMatch(/oid/);
  expect(rest).toEqual({ a: 1, b: { c: 2 }, e: 4, f: null, g: 5, h: 6 });
});
