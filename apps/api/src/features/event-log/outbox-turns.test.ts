import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createOutboxRelay, outboxEvent, type NewEvent } from './event-log-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('an organization with many events to publish holds up those of no other, in any collection', async () => {
  const [many, one] = [new mongoose.Types.ObjectId('1'.repeat(24)), new mongoose.Types.ObjectId('f'.repeat(24))];
  const record = (organization_id: mongoose.Types.ObjectId) => ({
    organization_id,
    event_outbox: [outboxEvent('document.created')],
  });
  await connection.collection('first_outbox').insertMany(Array.from({ length: 450 }, () => record(many)));
  await connection.collection('first_outbox').insertOne(record(one));
  await connection.collection('second_outbox').insertOne(record(one));
  const find = vi.spyOn(connection.collection('first_outbox'), 'find');
  const appended: string[] = [];
  const append = async (organization: string, events: readonly NewEvent[]) =>
    void appended.push(...events.map(() => organization));
  const sources = ['first_outbox', 'second_outbox'].map((collection) => ({ collection, describe: () => ({}) }));
  const log = { error: (fields: object) => expect(fields).toBeUndefined() };
  await createOutboxRelay(connection, { append }, sources, log)(new AbortController().signal);
  expect(appended).toHaveLength(452);
  expect(appended.lastIndexOf(one.toHexString())).toBeLessThan(100);
  // Of a backlog the first look alone reads whole records that it does not publish.
  const looks = find.mock.calls.filter(([, options]) => options?.limit === 200);
  expect(looks.map(([, options]) => Object.keys(options?.projection ?? {}))).toEqual([
    [],
    ...looks.slice(1, -1).map(() => ['organization_id']),
    [],
  ]);
  expect(looks.length).toBeGreaterThan(4);
});
