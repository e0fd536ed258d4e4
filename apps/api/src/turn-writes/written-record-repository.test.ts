import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectTestDatabase } from '../testing/test-database.ts';
import { createWrittenRecords } from './written-record-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await connection.collection('records').createIndex({ name: 1 }, { unique: true });
});
afterAll(async () => connection.close());
beforeEach(async () => void (await connection.collection('records').deleteMany({})));

const [organizationId, other, id] = ['a'.repeat(24), 'b'.repeat(24), 'c'.repeat(24)];
const _id = new mongoose.Types.ObjectId(id);
const record = { _id, organization_id: new mongoose.Types.ObjectId(organizationId), name: 'Old', changes: 4 };
const options = {
  collection: 'records',
  leaves: ['state'],
  notedAs: 'applied_calls',
  nameOf: ({ name }: mongoose.mongo.Document) => `record “${name}”`,
} as const;
const records = (more = {}, organization = organizationId) =>
  createWrittenRecords(connection, organization, { ...options, ...more });
const insert = (fields: object) => connection.collection('records').insertOne({ ...record, ...fields });
const now = () => connection.collection('records').findOne({ _id });

it('finds the record of a call in its own organization only', async () => {
  await insert({ applied_calls: ['call'] });
  expect(await records().writtenBy('call')).toEqual({ id, name: 'record “Old”', changes: 4 });
  expect(await records().writtenBy('other call')).toBeUndefined();
  expect([await records().exists(id), await records().exists(other)]).toEqual([true, false]);
  const foreign = records({}, other);
  expect([await foreign.writtenBy('call'), await foreign.exists(id), await foreign.recordOf(id)]).toEqual([
    undefined,
    false,
    undefined,
  ]);
});

it('reverts fields that nobody has named, and leaves those that are written without counting a change', async () => {
  await insert({ applied_calls: [], later_field: { a: 1 }, state: 'reading' });
  const before = await now();
  const text = (await records().recordOf(id))!;
  const restored = { later_field: { a: 2 }, newest_field: 1, state: 'read', changes: 2, applied_calls: ['undo'] };
  await connection.collection('records').updateOne({ _id }, { $set: restored });
  expect(await records().revert({ id, record: text, base: 2, callId: 'undo' })).toBe(true);
  expect(await now()).toEqual({ ...before, state: 'read' });
});

it.each([
  ['applied_calls', (call: string) => call],
  ['applied_calls.call_id', (call: string) => ({ call_id: call, at: 1 })],
] as const)('reverts a restoration noted in %s: fields, missing fields and count', async (notedAs, noteOf) => {
  await insert({ applied_calls: [noteOf('first')] });
  const before = await now();
  const text = (await records({ notedAs }).recordOf(id))!;
  const restored = { name: 'New', color: 'red', changes: 2, applied_calls: [noteOf('first'), noteOf('undo')] };
  await connection.collection('records').updateOne({ _id }, { $set: restored });
  const reversal = { id, record: text, base: 2, callId: 'undo' };
  expect(await records({ notedAs }).revert({ ...reversal, callId: 'not noted' })).toBe(true);
  expect(await records({ notedAs }).revert({ ...reversal, base: 3 })).toBe(false);
  expect(await now()).toMatchObject(restored);
  expect(await records({ notedAs }).revert(reversal)).toBe(true);
  expect(await now()).toEqual(before);
});

it('reverts a record that has all of its fields', async () => {
  await insert({ color: 'blue', applied_calls: [] });
  const before = await now();
  const text = (await records().recordOf(id))!;
  await connection
    .collection('records')
    .updateOne({ _id }, { $set: { name: 'New', changes: 2, applied_calls: ['undo'] } });
  expect(await records().revert({ id, record: text, base: 2, callId: 'undo' })).toBe(true);
  expect(await now()).toEqual(before);
});

it('inserts a removed record again, unless another one has its unique key', async () => {
  await insert({ applied_calls: [] });
  const before = await now();
  const reversal = { id, record: (await records().recordOf(id))!, base: 0, callId: 'undo' };
  await connection.collection('records').deleteOne({ _id });
  expect(await records().revert(reversal)).toBe(true);
  expect(await now()).toBeNull();
  expect(await records({ isRemovable: true }).revert(reversal)).toBe(true);
  expect(await now()).toEqual(before);

  await connection.collection('records').deleteOne({ _id });
  await connection.collection('records').insertOne({ ...record, _id: new mongoose.Types.ObjectId() });
  expect(await records({ isRemovable: true }).revert(reversal)).toBe(false);
  const invalid = { ...reversal, record: JSON.stringify({ _id: [1] }) };
  await expect(records({ isRemovable: true }).revert(invalid)).rejects.toThrow();
});
