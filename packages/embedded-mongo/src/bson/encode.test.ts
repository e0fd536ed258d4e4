import { deserialize } from 'bson';
import { expect, it } from 'vitest';
import type { BsonDocument } from '../values/value.ts';
import { decodeDocument } from './decode.ts';
import { encodeDocument } from './encode.ts';

it('keeps every byte when the buffer grows in the middle of a value', () => {
  for (let length = 16_300; length < 16_420; length += 1) {
    const text = 'x'.repeat(length);
    const document = new Map<string, unknown>([
      ['text', text],
      ['number', 7],
      ['flag', true],
    ]);
    expect(deserialize(encodeDocument(document as never))).toEqual({ text, number: 7, flag: true });
  }
});

it('encodes a document whose only value fills the buffer', () => {
  for (const length of [20_000, 300_000, 2_000_000]) {
    const text = 'x'.repeat(length);
    expect(deserialize(encodeDocument(new Map([['text', text]])))).toEqual({ text });
  }
});

it('rejects a document that is nested too deep to be decoded', () => {
  const nested = (levels: number): BsonDocument => {
    let document: BsonDocument = new Map();
    for (let level = 0; level < levels; level++) document = new Map([['a', document]]);
    return document;
  };
  expect(decodeDocument(encodeDocument(nested(200)))).toEqual(nested(200));
  expect(() => encodeDocument(nested(201))).toThrow(expect.objectContaining({ code: 15 }));
  expect(decodeDocument(encodeDocument(nested(1)))).toEqual(nested(1));
});
