import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createClaimsInTurn } from './claims-in-turn.ts';
import { createLeases, leaseFields } from './leases.ts';

interface Work {
  _id: string;
  organization_id: string | null;
}

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

const milliseconds = 60_000;

it('an organization with much work delays neither another nor its own short work', async () => {
  const collection = connection.collection<Work>('work_in_turn');
  const insert = async (organization_id: string | null, ...ids: string[]) =>
    collection.insertMany(ids.map((_id) => ({ _id, organization_id, isOpen: true })));
  const leases = createLeases<Work>(collection as never, leaseFields);
  const claim = createClaimsInTurn<Work>(collection as never, leases);
  const turn = async () => {
    const claimed = await claim({ isOpen: true }, { milliseconds });
    if (claimed === undefined) return undefined;
    await leases.release({ _id: claimed.record._id }, claimed.token);
    return claimed.record._id;
  };
  expect(await turn()).toBeUndefined();
  await insert('many', 'a', 'b', 'c');
  const first = await claim({ isOpen: true }, { milliseconds });
  expect(first?.record._id).toBe('a');
  await insert('few', 'x');
  expect(await turn()).toBe('x');
  // What is held is nobody else's, and the other work of its organization still has its turns.
  expect([await turn(), await turn(), await turn()]).toEqual(['b', 'x', 'c']);
  await leases.release({ _id: 'a' }, first!.token);
  // Later work of the same organization comes before what has had turns.
  await insert('many', 'd');
  expect([await turn(), await turn(), await turn(), await turn()]).toEqual(['x', 'd', 'x', 'a']);
});

it('an organization that adds short work all the time does not keep another from going on with long work', async () => {
  const collection = connection.collection<{ _id: number; organization_id: string }>('short_and_long_work');
  const add = async (_id: number, organization_id: string) => await collection.insertOne({ _id, organization_id });
  const leases = createLeases<{ _id: number; organization_id: string }>(collection as never, leaseFields);
  const claim = createClaimsInTurn(collection as never, leases);
  await add(1, 'busy');
  await add(2, 'long');
  const turns: string[] = [];
  for (let later = 3; later < 9; later += 1) {
    // There is always short work that had no turn yet.
    await add(later, 'busy');
    const { record, token } = (await claim({}, { milliseconds }))!;
    turns.push(record.organization_id);
    await leases.release({ _id: record._id }, token);
    if (record.organization_id === 'busy') await collection.deleteOne({ _id: record._id });
  }
  expect(turns).toEqual(['busy', 'long', 'busy', 'long', 'busy', 'long']);
});

it('a record without an organization, or with a broken time, holds up no other', async () => {
  const collection = connection.collection('broken_work_in_turn');
  await collection.insertMany([{ name: 'none' }, { name: 'text', organization_id: 'a', claimed_at: 'yesterday' }]);
  const leases = createLeases<{ name: string }>(collection, leaseFields);
  const claim = createClaimsInTurn(collection, leases);
  const names = [await claim({}, { milliseconds }), await claim({}, { milliseconds })].map((one) => one?.record.name);
  expect(names).toEqual(['none', 'text']);
  expect(await claim({}, { milliseconds })).toBeUndefined();
});
