import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { createStorageLimit } from './storage-limit.ts';
import { storedBytesModel, totalOwner } from './stored-bytes-model.ts';
import { expiringOwner, fileOwner, storedBytesOf, type StoredBytes } from './stored-bytes.ts';

let connection: Connection;
let stored: StoredBytes;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await storedBytesModel(connection).createIndexes();
  stored = storedBytesOf(connection);
});
afterAll(async () => connection.close());
beforeEach(async () => void (await storedBytesModel(connection).deleteMany({})));
afterEach(() => void vi.useRealTimers());

const [organization, other, document] = ['a'.repeat(24), 'b'.repeat(24), 'c'.repeat(24)];
const { signal } = new AbortController();
async function* files(...batches: { documentId: string; bytes: number }[][]) {
  yield* batches;
}
const check = (organizationId = organization) => stored.check(organizationId, () => files(), signal);

it('counts what is added before it is written, and by organization', async () => {
  stored.add(organization, 'audit', 10);
  stored.add(organization, document, 5);
  stored.add(other, 'audit', 7);
  expect([await stored.stored(organization), await stored.stored(other)]).toEqual([15, 7]);
  await stored.flush();
  expect([await stored.stored(organization), await stored.stored(other)]).toEqual([15, 7]);
  expect(storedBytesOf(connection)).toBe(stored);
});

it('counts what is being written, also while the sum is read', async () => {
  stored.add(organization, 'audit', 10);
  const model = storedBytesModel(connection);
  const findOne = model.findOne.bind(model);
  const spy = vi.spyOn(model, 'findOne').mockImplementationOnce(((...args: Parameters<typeof findOne>) => {
    const query = findOne(...args);
    const read = query.exec.bind(query);
    // What was collected is written after the sum was read.
    query.exec = async () => {
      const found = await read();
      await stored.flush();
      return found;
    };
    return query;
  }) as typeof findOne);
  expect(await stored.stored(organization)).toBe(10);
  spy.mockRestore();
});

it('gives back everything that a document stored, and nothing of others', async () => {
  for (const owner of [document, fileOwner(document), `${document}:pages`, `${'c'.repeat(23)}d`, 'audit']) {
    stored.add(organization, owner, 10);
  }
  await stored.forget(organization, document);
  expect(await stored.stored(organization)).toBe(20);
  await stored.forget(organization, document);
  expect(await stored.stored(organization)).toBe(20);
});

it('gives back once what two requests remove at the same time', async () => {
  for (const owner of ['audit', fileOwner(document), `${document}:pages`]) stored.add(organization, owner, 10);
  await stored.flush();
  const model = storedBytesModel(connection);
  const find = model.find.bind(model);
  const spy = vi.spyOn(model, 'find').mockImplementationOnce(((...args: Parameters<typeof find>) => {
    const query = find(...args);
    const read = query.exec.bind(query);
    // Between what the first removal reads and what it does, the second one is done.
    query.exec = async () => {
      const found = await read();
      await stored.forget(organization, document);
      return found;
    };
    return query;
  }) as never);
  await stored.forget(organization, document);
  spy.mockRestore();
  expect(await stored.stored(organization)).toBe(10);
});

it('never exceeds the limit by reservations at once, and says what cures it', async () => {
  const limit = createStorageLimit(stored, 100);
  const tried = await Promise.allSettled(Array.from({ length: 10 }, () => limit.reserve(organization, 30)));
  const taken = tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(taken.length).toBeLessThanOrEqual(3);
  expect(await stored.stored(organization)).toBe(30 * taken.length);
  for (const each of taken) await each.giveBack();
  const last = await limit.reserve(organization, 100);
  await expect(limit.requireRoom(organization)).rejects.toMatchObject({
    kind: 'storage_full',
    code: 'storage_limit_reached',
    message: expect.stringMatching(/Delete documents and empty the trash.*MAX_STORAGE_MB/u),
  });
  await limit.requireRoom(other, 100);
  await last.giveTo([{ owner: fileOwner(document), bytes: 100 }]);
  await stored.forget(organization, document);
  await limit.requireRoom(organization, 100);
  await createStorageLimit(stored, undefined).requireRoom(organization, Number.MAX_SAFE_INTEGER);
});

it('no longer counts what has expired, nor reservations of a process that died', async () => {
  stored.add(organization, expiringOwner(new Date(Date.now() + 86_400_000)), 40);
  await (await createStorageLimit(stored, 100).reserve(organization, 10)).giveTo([{ owner: 'audit', bytes: 10 }]);
  await createStorageLimit(stored, 100).reserve(organization, 20);
  await check();
  expect(await stored.stored(organization)).toBe(70);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 86_400_000 });
  await check();
  expect(await stored.stored(organization)).toBe(10);
});

it('counts the files from before once, and mends a sum that a killed process left', async () => {
  const before = [{ documentId: document, bytes: 100 }];
  stored.add(organization, fileOwner('d'.repeat(24)), 3);
  await stored.check(organization, () => files(before, [{ documentId: 'd'.repeat(24), bytes: 3 }]), signal);
  expect(await stored.stored(organization)).toBe(103);
  await stored.check(organization, () => files([{ documentId: 'e'.repeat(24), bytes: 1 }]), signal);
  expect(await stored.stored(organization)).toBe(103);
  await storedBytesModel(connection).updateOne(
    { owner: totalOwner },
    { $set: { bytes: 9_999, checked_at: new Date(0) } },
  );
  await check();
  expect(await stored.stored(organization)).toBe(103);
});

it('is not checked while something is stored all the time', async () => {
  stored.add(organization, 'audit', 10);
  await stored.flush();
  const model = storedBytesModel(connection);
  await model.updateOne({ owner: totalOwner }, { $set: { bytes: 9_999 } });
  const find = model.find.bind(model);
  const spy = vi.spyOn(model, 'find').mockImplementation(((...args: Parameters<typeof find>) => {
    // Another process counts between two reads.
    void model.collection.updateOne({ owner: totalOwner }, { $inc: { changes: 1 } });
    return find(...args);
  }) as never);
  await check();
  spy.mockRestore();
  expect(await model.findOne({ owner: totalOwner }).lean()).not.toHaveProperty('checked_at');
  await check();
  expect(await stored.stored(organization)).toBe(10);
  expect(await model.findOne({ owner: totalOwner }).lean()).toHaveProperty('checked_at');
});

it('damaged numbers are set right, and keep nothing of other organizations from being counted', async () => {
  for (const each of [organization, other]) stored.add(each, 'audit', 10);
  stored.add(organization, document, 5);
  await stored.flush();
  const model = storedBytesModel(connection);
  const own = { organization_id: organization };
  const damage = async (owner: string, set: object) =>
    model.collection.updateOne({ organization_id: (await model.findOne(own))!.organization_id, owner }, { $set: set });
  await damage(totalOwner, { bytes: 'many', changes: 'some', checked_at: 'never' });
  await damage(document, { bytes: {} });
  for (const each of [organization, other]) stored.add(each, 'audit', 1);
  await stored.flush().catch(() => undefined);
  expect(await stored.stored(other)).toBe(11);
  await check();
  expect(await stored.stored(organization)).toBe(11);
});

it('counts again the files of documents whose count a killed process has lost', async () => {
  await stored.check(organization, () => files([{ documentId: document, bytes: 100 }]), signal);
  const times: (Date | undefined)[] = [];
  const later = Date.now() + 2 * 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'], now: later });
  const lost = { documentId: 'e'.repeat(24), bytes: 7 };
  await stored.check(
    organization,
    (since) => (times.push(since), files([lost, { documentId: document, bytes: 100 }])),
    signal,
  );
  expect(await stored.stored(organization)).toBe(107);
  expect(times[0]!.getTime()).toBeGreaterThan(later - 3 * 86_400_000);
});
