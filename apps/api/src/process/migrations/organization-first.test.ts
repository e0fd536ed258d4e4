import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { threadMessageModel, threadModel } from '../../features/threads/index.ts';
import { turnEventsModel, turnModel } from '../../features/turns/index.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createThreadRepositories } from '../../features/threads/index.ts';
import { createTurnEventRepository } from '../../features/turns/index.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { dropFormerIndexes, nameOrganizations } from './organization-first.ts';

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

  for (let count = 0; count < 2; count += 1) {
    await nameOrganizations(connection);
    await dropFormerIndexes(connection);
  }
  for (const collection of [messages, events]) {
    const records = await collection.find().toArray();
    expect(records).toHaveLength(12);
    for (const { organization_id, expected } of records) expect(organization_id).toEqual(expected);
    const keys = (await collection.indexes()).map(({ key }) => Object.keys(key)[0]);
    expect(keys).not.toContain('thread_id');
    expect(keys).not.toContain('turn_id');
  }
});

/** As releases store them that do not know version 16. */
async function storedByFormerRelease() {
  const ids = Object.fromEntries(
    ['organizationId', 'documentId', 'userId'].map((name) => [name, new mongoose.Types.ObjectId().toHexString()]),
  ) as { organizationId: string; documentId: string; userId: string };
  const thread = await createThreadRepositories(connection)(ids).create({ working_state: {} as never });
  const message = { role: 'user', content: 'Hello', created_at: new Date() };
  const thread_id = new mongoose.Types.ObjectId(thread.id);
  await threadMessageModel(connection).collection.insertOne({ ...message, thread_id, number: 0 });
  const organization_id = new mongoose.Types.ObjectId(ids.organizationId);
  const { insertedId } = await turnModel(connection).collection.insertOne({ organization_id });
  await turnEventsModel(connection).collection.insertOne({
    turn_id: insertedId,
    first_id: 1,
    last_id: 2,
    frames: 'one',
  });
  const turn = { organizationId: ids.organizationId, id: insertedId.toHexString() };
  return { threads: createThreadRepositories(connection)(ids), threadId: thread.id, turn };
}

it('finds and continues what a process of the former release stores beside this one', async () => {
  const { threads, threadId, turn } = await storedByFormerRelease();
  expect((await threads.messages(threadId)).map(({ content }) => content)).toEqual(['Hello']);
  await threads.truncate(threadId, 0);
  expect(await threads.countMessages(threadId)).toBe(0);

  const events = createTurnEventRepository(connection, { keptMs: 60_000 });
  expect(await events.lastId(turn)).toBe(2);
  await events.append(turn, [{ first: 1, last: 3, frames: 'two' }]);
  expect(await events.after(turn, 0)).toEqual({ last: 3, frames: 'two' });
  expect(await turnEventsModel(connection).find({ turn_id: turn.id })).toHaveLength(1);
});

it('keeps the former indexes while a process runs that needs them, and names its records once none does', async () => {
  const { turn } = await storedByFormerRelease();
  await turnEventsModel(connection).collection.createIndex({ turn_id: 1, first_id: 1 }, { unique: true });
  const identity = { machine: 'box', pid: 7, instance: 'i' };
  const names = async () => (await turnEventsModel(connection).collection.indexes()).map(({ name }) => name);
  const beside = (databaseVersion: number) => async () => [
    { release: '0', databaseVersion, servesApi: true, identity },
  ];

  await migrate(connection, migrations, beside(15));
  expect(await names()).toContain('turn_id_1_first_id_1');
  await storedByFormerRelease();
  await migrate(connection, migrations, beside(16));
  expect(await names()).not.toContain('turn_id_1_first_id_1');
  const [stored] = await turnEventsModel(connection).find({ turn_id: turn.id });
  expect(stored?.organization_id.toHexString()).toBe(turn.organizationId);
  expect(await turnEventsModel(connection).countDocuments({ organization_id: { $exists: false } })).toBe(0);
});
