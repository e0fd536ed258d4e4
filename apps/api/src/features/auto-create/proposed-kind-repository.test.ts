import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logCommands } from '../../testing/database-use/command-log.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { documentModel } from '../documents/index.ts';
import { createProposedKindRepository } from './proposed-kind-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const organization_id = new mongoose.Types.ObjectId();
const promptOf = (number: number) => `prompt ${String(number).padStart(3, '0')}`;

async function propose(promptIds: readonly string[], other: object = {}): Promise<void> {
  const records = promptIds.map((prompt_id) => ({
    organization_id,
    auto_create: { status: 'proposed', prompt_id },
    deleted_at: null,
    ...other,
  }));
  await documentModel(connection).collection.insertMany(records);
}

it('counts the documents of few kinds and of many alike, and sends few commands for many', async () => {
  const kinds = createProposedKindRepository(connection);
  const first = async () => await kinds.list(organization_id.toHexString(), { skip: 0, limit: 2 });
  await propose([1, 2, 2, 2].map(promptOf));
  await propose([promptOf(3)], { deleted_at: new Date() });
  await propose([promptOf(4)], { organization_id: new mongoose.Types.ObjectId() });
  const largest = [
    { promptId: promptOf(2), documentCount: 3 },
    { promptId: promptOf(1), documentCount: 1 },
  ];
  expect(await first()).toEqual({ kinds: largest, end: { total_count: 2 }, documentCount: 4 });
  await propose(Array.from({ length: 300 }, (_, number) => promptOf(100 + number)));
  const log = logCommands(connection);
  expect(await first()).toMatchObject({ kinds: largest, end: { total_count: 302 }, documentCount: 304 });
  log.stop();
  expect(log.commands.length).toBeLessThan(60);
});

it('goes on behind a page whose kinds have all been decided', async () => {
  const own = new mongoose.Types.ObjectId();
  const kinds = createProposedKindRepository(connection);
  await propose(
    Array.from({ length: 9 }, (_, number) => promptOf(number)),
    { organization_id: own },
  );
  const first = await kinds.list(own.toHexString(), { skip: 0, limit: 4 });
  const decided = {
    organization_id: own,
    'auto_create.prompt_id': { $in: first.kinds.map(({ promptId }) => promptId) },
  };
  await documentModel(connection).collection.updateMany(decided, { $set: { 'auto_create.status': 'accepted' } });
  const next = await kinds.list(own.toHexString(), { skip: 0, limit: 4, cursor: first.end.next_cursor });
  expect(next.kinds.map(({ promptId }) => promptId)).toEqual([4, 5, 6, 7].map(promptOf));
});
