import { Binary, BSONRegExp, Decimal128, Double, Long, MinKey, ObjectId, serialize, type Document } from 'bson';
import { expect, test } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { compileFilter, rootFields } from './filter.ts';
import type { Positions } from './predicate.ts';

const toMap = (document: Document) => decodeDocument(Buffer.from(serialize(document)));
const matches = (filter: Document, document: Document): boolean => compileFilter(toMap(filter))(toMap(document));

test.each<[string, Document, Document]>([
  [
    'an int equals a long, a double and a decimal of its value',
    { a: 1, b: 1, c: 1 },
    { a: Long.ONE, b: new Double(1), c: Decimal128.fromString('1.0') },
  ],
  ['null equals a missing field', { a: null }, {}],
  ['a value equals an element', { a: 2 }, { a: [1, 2] }],
  ['an array equals the whole array', { a: [1, 2] }, { a: [1, 2] }],
  ['a path reaches every element', { 'a.b': 2 }, { a: [{ b: 1 }, { b: 2 }] }],
  ['a path takes an element by its position', { 'a.1': 5 }, { a: [4, 5] }],
  ['different elements can satisfy two bounds', { a: { $gt: 3, $lt: 2 } }, { a: [1, 4] }],
  ['a bound compares within its type', { $nor: [{ a: { $gt: 1 } }] }, { a: 'x' }],
  ['$lte null matches a missing field', { a: { $lte: null } }, {}],
  ['every value is greater than MinKey', { a: { $gt: new MinKey() } }, { a: null }],
  ['NaN equals NaN', { a: Number.NaN }, { a: Number.NaN }],
  ['$ne holds when no element is equal', { a: { $ne: 3 } }, { a: [1, 2] }],
  ['$in takes patterns', { a: { $in: [/^x/, 1] } }, { a: 'xyz' }],
  ['$nin null requires a value', { a: { $nin: [null] } }, { a: 1 }],
  [
    '$elemMatch requires one element to satisfy all conditions',
    { a: { $elemMatch: { b: 1, c: 2 } } },
    { a: [{ b: 1 }, { b: 1, c: 2 }] },
  ],
  ['$elemMatch on values', { a: { $elemMatch: { $gte: 2, $lt: 3 } } }, { a: [1, 2] }],
  ['$all', { a: { $all: [1, 2] } }, { a: [2, 3, 1] }],
  ['$size', { a: { $size: 0 } }, { a: [] }],
  ['$exists false', { 'a.b': { $exists: false } }, { a: [{ c: 1 }] }],
  ['$type by name and number', { a: { $type: ['string', 16] } }, { a: 3 }],
  ['$type array matches the array itself', { a: { $type: 'array' } }, { a: [] }],
  ['$mod truncates', { a: { $mod: [4, 1] } }, { a: 5.9 }],
  ['$not with a missing field', { a: { $not: { $gt: 1 } } }, {}],
  ['bits of a negative number', { a: { $bitsAllSet: [0, 40] } }, { a: -1 }],
  ['bits of binary data', { a: { $bitsAnySet: [9] } }, { a: new Binary(Buffer.from([0, 2])) }],
  ['a pattern that ignores case and whitespace', { a: { $regex: 'A B # both', $options: 'ix' } }, { a: 'xab' }],
  ['a pattern equals itself', { a: new BSONRegExp('^x', 'i') }, { a: new BSONRegExp('^x', 'i') }],
  ['a pattern as text equals itself', { a: { $regex: '^x' } }, { a: new BSONRegExp('^x') }],
  ['a pattern with options equals itself', { a: { $regex: '^x', $options: 'i' } }, { a: new BSONRegExp('^x', 'i') }],
  ['$in finds a pattern that equals one of its own', { a: { $in: [1, /^x/] } }, { a: [2, new BSONRegExp('^x')] }],
  ['$all finds a pattern that equals its own', { a: { $all: [/^x/, 2] } }, { a: [2, new BSONRegExp('^x')] }],
  ['PCRE anchors', { a: { $regex: '\\Ax\\z' } }, { a: 'x' }],
  ['$expr with a path', { $expr: { $gt: ['$a', '$b'] } }, { a: 2, b: 1 }],
  ['ObjectIds', { a: new ObjectId('0123456789abcdef01234567') }, { a: new ObjectId('0123456789abcdef01234567') }],
])('%s', (_, filter, document) => {
  expect(matches(filter, document)).toBe(true);
});

test.each<[string, Document, Document]>([
  ['an empty array is not null', { a: null }, { a: [] }],
  ['documents with another order of fields are not equal', { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }],
  ['an element of an element is not reached', { a: 1 }, { a: [[1]] }],
  ['NaN is not less than a number', { a: { $lt: 5 } }, { a: Number.NaN }],
  ['$elemMatch on fields does not match scalars', { a: { $elemMatch: { b: 1 } } }, { a: 1 }],
  ['without m, ^ does not match after a line break', { a: /^b/ }, { a: 'a\nb' }],
  ['an empty $all', { a: { $all: [] } }, { a: [] }],
  ['a decimal does not equal the nearest double', { a: Decimal128.fromString('0.1') }, { a: 0.1 }],
])('no match: %s', (_, filter, document) => {
  expect(matches(filter, document)).toBe(false);
});

test.each<[string, Document, number]>([
  ['an unknown operator', { a: { $guess: 1 } }, 2],
  ['an operator of MongoDB that is not supported', { a: { $near: 1 } }, 238],
  ['operators and fields mixed', { a: { $gt: 1, b: 2 } }, 2],
  ['$in without an array', { a: { $in: 1 } }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['$where', { $where: '1' }, 238],
  ['$jsonSchema', { $jsonSchema: {} }, 238],
  ['$text', { $text: { $search: 'x' } }, 27],
  ['a malformed pattern', { a: { $regex: '(' } }, 51091],
  ['a PCRE construct that JavaScript interprets differently', { a: { $regex: 'a++b' } }, 51091],
  ['an unknown flag', { a: { $regex: 'a', $options: 'q' } }, 51108],
  ['a negative size', { a: { $size: -1 } }, 9],
])('rejects %s', (_, filter, code) => {
  expect(() => compileFilter(toMap(filter))).toThrow(expect.objectContaining({ code }));
});

test.each<[Document, Document, [string, number]]>([
  [{ 'a.x': 2 }, { a: [{ x: 1 }, { x: 2 }] }, ['a', 1]],
  [{ a: { $gte: 5 } }, { a: [1, 9] }, ['a', 1]],
  [{ a: { $elemMatch: { x: 2 } } }, { a: [{ x: 1 }, { x: 2 }] }, ['a', 1]],
  [{ 'a.x': { $exists: true } }, { a: [{}, { x: 2 }] }, ['a', 1]],
])('%j records which element it matched', (filter, document, position) => {
  const positions: Positions = new Map();
  compileFilter(toMap(filter))(toMap(document), positions);
  expect([...positions]).toContainEqual(position);
});

test('the fields that a filter reads are known, unless it has an expression', () => {
  expect(rootFields(toMap({ 'a.b': 1, $or: [{ c: 1 }, { $and: [{ 'd.e': 2 }] }] }))).toEqual(new Set(['a', 'c', 'd']));
  expect(rootFields(toMap({ a: 1, $expr: '$b' }))).toBeUndefined();
});
