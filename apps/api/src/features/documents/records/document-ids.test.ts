import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../platform/database/connection.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createDocumentIds } from './document-ids-repository.ts';
import { documentModel } from './document-model.ts';

const [organization_id, tag, other] = [1, 2, 3].map(() => new mongoose.Types.ObjectId()) as [
  mongoose.Types.ObjectId,
  mongoose.Types.ObjectId,
  mongoose.Types.ObjectId,
];
const tagged = { organization_id, deleted_at: null, tag_ids: tag };
let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await documentModel(connection).createIndexes();
});
afterAll(() => connection.close());

const documents = () => documentModel(connection).collection;
const expected = async (filter: object) =>
  (
    await documents()
      .find(filter, { projection: { _id: 1 } })
      .toArray()
  )
    .map(({ _id }) => String(_id))
    .toSorted();

it('reads the same ids as a find after each kind of change, and nothing if none has changed', async () => {
  const idsOf = createDocumentIds(connection);
  const ids = Array.from({ length: 6_000 }, () => new mongoose.Types.ObjectId());
  const record = (_id: mongoose.Types.ObjectId, at: number) => ({
    _id,
    organization_id,
    deleted_at: null,
    tag_ids: at % 3 === 0 ? [tag, other] : [other],
  });
  const command = vi.spyOn(openDatabase(connection), 'command');
  const changes: (() => Promise<unknown>)[] = [
    async () => undefined,
    () => documents().insertMany(ids.slice(0, 5_990).map(record)),
    () => documents().updateMany({ _id: { $in: ids.slice(0, 30) } }, { $set: { tag_ids: [tag] } }),
    () => documents().updateMany({ _id: { $in: ids.slice(20, 40) } }, { $set: { tag_ids: [] } }),
    () => documents().updateMany({ _id: { $in: ids.slice(100, 200) } }, { $set: { deleted_at: new Date() } }),
    // Later documents get the rows of the last ones that were removed.
    () => documents().deleteMany({ _id: { $in: ids.slice(5_960) } }),
    () => documents().insertMany(ids.slice(5_990).map((id) => record(id, 0))),
  ];
  const trashed = { organization_id, deleted_at: { $gte: new Date(0) } };
  for (const change of changes) {
    await change();
    for (const filter of [tagged, trashed]) {
      const [read, again] = await Promise.all([idsOf(filter), idsOf(filter)]);
      expect([...read].toSorted()).toEqual(await expected(filter));
      expect(again).toBe(read);
      expect(await idsOf(filter)).toBe(read);
    }
  }
  const answers = await Promise.all(command.mock.results.map(({ value }) => value as Promise<object>));
  expect(answers.filter((answer) => 'removed' in answer).length).toBeGreaterThan(3);
  command.mockRestore();
});

it('on a server without that command all ids are read', async () => {
  const stranger = await connectTestDatabase();
  const refuse = new mongoose.mongo.MongoServerError({ message: 'no such command', code: 59 });
  const command = vi.spyOn(openDatabase(stranger), 'command').mockRejectedValue(refuse);
  await documentModel(stranger).collection.insertMany([{ organization_id, deleted_at: null, tag_ids: [tag] }]);
  const idsOf = createDocumentIds(stranger);
  expect((await idsOf(tagged)).size).toBe(1);
  expect((await idsOf(tagged)).size).toBe(1);
  expect(command.mock.calls.length).toBeLessThanOrEqual(1);
  command.mockRestore();
  await stranger.close();
});
