import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectDatabase, openDatabase } from '../../../platform/database/connection.ts';
import { connectTestDatabase, newTestDatabase } from '../../../testing/test-database.ts';
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

it('several processes that look in turn each read what changed since their own last look', async () => {
  const uri = newTestDatabase();
  const processes = await Promise.all([1, 2, 3].map(() => connectDatabase(uri)));
  const own = documentModel(processes[0]!).collection;
  await documentModel(processes[0]!).createIndexes();
  const ids = Array.from({ length: 300 }, () => new mongoose.Types.ObjectId());
  await own.insertMany(ids.slice(0, 200).map((_id) => ({ _id, organization_id, deleted_at: null, tag_ids: [tag] })));
  const readers = processes.map(createDocumentIds);
  const commands = processes.map((each) => vi.spyOn(openDatabase(each), 'command'));
  await readers[0]!(tagged);
  const untag = (some: mongoose.Types.ObjectId[]) =>
    own.updateMany({ _id: { $in: some } }, { $set: { tag_ids: [other] } });
  const add = (some: mongoose.Types.ObjectId[]) =>
    own.insertMany(some.map((_id) => ({ _id, organization_id, deleted_at: null, tag_ids: [tag] })));
  for (const [turn, reader] of [0, 1, 0, 2, 2, 1, 0, 2].entries()) {
    await untag(ids.slice(10 * turn, 10 * turn + 5));
    await add(ids.slice(200 + 10 * turn, 210 + 10 * turn));
    const now = await own.find(tagged, { projection: { _id: 1 } }).toArray();
    expect([...(await readers[reader]!(tagged))].toSorted()).toEqual(now.map(({ _id }) => String(_id)).toSorted());
  }
  const answers = await Promise.all(
    commands.map(async ({ mock }) => await Promise.all(mock.results.map(({ value }) => value as Promise<object>))),
  );
  // The first look of each reads all, and every later one the difference to its own last look.
  expect(answers.map((each) => each.map((answer) => 'removed' in answer))).toEqual([
    [false, true, true, true],
    [false, true],
    [false, true, true],
  ]);
  await Promise.all(processes.map((each) => each.close()));
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
