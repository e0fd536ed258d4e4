import { deserialize, serialize, type Document } from 'bson';
import { expect, test } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { compileProjection } from './projection.ts';

const toMap = (document: Document) => decodeDocument(Buffer.from(serialize(document)));
const project = (document: Document, projection: Document, positions?: Map<string, number>): Document =>
  deserialize(encodeDocument(compileProjection(toMap(projection), { find: true })(toMap(document), { positions })));

const source = { _id: 1, a: 1, b: { x: 1, y: 2 }, list: [1, 2, 3, 4], items: [{ x: 1, y: 1 }, 5, { x: 2, y: 2 }] };

test.each<[string, Document, Document]>([
  ['keeps fields and _id', { a: 1 }, { _id: 1, a: 1 }],
  ['keeps fields without _id', { a: true, _id: 0 }, { a: 1 }],
  ['keeps the order of the document, not of the projection', { b: 1, a: 1 }, { _id: 1, a: 1, b: { x: 1, y: 2 } }],
  ['keeps paths through arrays, dropping scalars', { 'items.x': 1 }, { _id: 1, items: [{ x: 1 }, { x: 2 }] }],
  ['excludes fields', { b: 0, list: 0, items: 0 }, { _id: 1, a: 1 }],
  [
    'excludes paths',
    { a: 0, 'b.x': 0, list: 0, 'items.y': 0 },
    { _id: 1, b: { y: 2 }, items: [{ x: 1 }, 5, { x: 2 }] },
  ],
  ['reads nested documents as paths', { b: { y: 1 } }, { _id: 1, b: { y: 2 } }],
  ['keeps only _id', { _id: 1 }, { _id: 1 }],
  ['slices an array', { a: 1, list: { $slice: [1, 2] } }, { _id: 1, a: 1, list: [2, 3] }],
  [
    'slices an array from its end and keeps the other fields',
    { list: { $slice: -1 }, b: 0, items: 0 },
    { _id: 1, a: 1, list: [4] },
  ],
  ['keeps the first element that matches', { items: { $elemMatch: { x: 2 } } }, { _id: 1, items: [{ x: 2, y: 2 }] }],
  ['computes fields', { a: 1, sum: { $add: ['$a', '$b.y'] } }, { _id: 1, a: 1, sum: 3 }],
])('%s', (_, projection, wanted) => {
  const result = project(source, projection);
  expect(result).toEqual(wanted);
  expect(Object.keys(result)).toEqual(Object.keys(wanted));
});

test('.$ projects the element that the filter matched', () => {
  expect(project(source, { 'items.$': 1 }, new Map([['items', 2]]))).toEqual({ _id: 1, items: [{ x: 2, y: 2 }] });
  expect(() => project(source, { 'items.$': 1 })).toThrow(expect.objectContaining({ code: 51246 }));
});

test.each<[string, Document, number]>([
  ['an inclusion with an exclusion', { a: 1, b: 0 }, 31254],
  ['an exclusion with an inclusion', { b: 0, a: 1 }, 31253],
  ['a path inside another', { b: 1, 'b.x': 1 }, 31249],
  ['a path around another', { 'b.x': 1, b: 1 }, 31250],
  ['an unknown operator', { a: { $guess: 1 } }, 168],
  ['metadata other than the text score', { a: { $meta: 'indexKey' } }, 238],
])('rejects %s', (_, projection, code) => {
  expect(() => project(source, projection)).toThrow(expect.objectContaining({ code }));
});
