import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { threadMessageModel, threadModel } from '../../features/threads/index.ts';
import { turnEventsModel, turnModel } from '../../features/turns/index.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { findByOrganization } from './organization-first.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

it('gives messages and events the organization of their thread or turn, and replaces the indexes that lack it', async () => {
  const messages = threadMessageModel(connection).collection;
  const events = turnEventsModel(connection).collection;
  await messages.createIndex({ thread_id: 1, number: 1 }, { unique: true });
  await events.createIndex({ turn_id: 1, first_id: 1 }, { unique: true });
  const organizations = [new mongoose.Types.ObjectId(), new mongoose.Types.ObjectId()];
  for (const organization_id of organizations) {
    for (let count = 0; count < 3; count += 1) {
      const thread_id = new mongoose.Types.ObjectId();
      const turn_id = new mongoose.Types.ObjectId();
      await threadModel(connection).collection.insertOne({ _id: thread_id, organization_id });
      await turnModel(connection).collection.insertOne({ _id: turn_id, organization_id });
      await messages.insertMany([0, 1].map((number) => ({ thread_id, number, expected: organization_id })));
      await events.insertMany([1, 9].map((first_id) => ({ turn_id, first_id, expected: organization_id })));
    }
  }

  await findByOrganization(connection);
  await findByOrganization(connection);
  for (const collection of [messages, events]) {
    const records = await collection.find().toArray();
    expect(records).toHaveLength(12);
    for (const { organization_id, expected } of records) expect(organization_id).toEqual(expected);
    const keys = (await collection.indexes()).map(({ key }) => Object.keys(key)[0]);
    expect(keys).not.toContain('thread_id');
    expect(keys).not.toContain('turn_id');
  }
});
