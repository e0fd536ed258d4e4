import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { idsWithin } from './entry-sum-repository.ts';

const id = (hex: string) => new mongoose.Types.ObjectId(hex.padStart(24, '0'));
const packed = (...ids: mongoose.Types.ObjectId[]) =>
  new mongoose.mongo.Binary(Buffer.concat(ids.map((each) => each.id)));

it('finds the ids that a collection has, also beside others that end alike or span two of them', () => {
  const [one, alike, other, missing] = [id('a100000001'), id('b100000001'), id('c2'), id('d3')];
  const kept = [
    { state: 'indexed' as const, ids: packed(one, other) },
    { state: 'failed' as const, ids: packed() },
  ];
  expect(idsWithin(kept, [missing, other, alike, one])).toEqual([other, one]);
  expect(idsWithin([{ state: 'indexed', ids: packed(id('100000000000000'), id('2')) }], [id('2'), id('1')])).toEqual([
    id('2'),
  ]);
  expect(idsWithin(undefined, [one])).toEqual([one]);
});
