import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { documentModel } from './document-model.ts';
import { createVersionRepositories } from './version-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());
beforeEach(async () => void (await documentModel(connection).deleteMany({})));

const organizationId = 'a'.repeat(24);
const organization_id = new mongoose.Types.ObjectId(organizationId);
const versions = () => createVersionRepositories(connection)(organizationId);
const idOf = (version: number) => String(version).padStart(24, '0');
const documents = () => documentModel(connection).collection;
const one = (version: number) => ({ _id: new mongoose.Types.ObjectId(idOf(version)) });

async function makeVersions(count: number) {
  for (let version = 1; version <= count; version += 1) {
    await documents().insertOne({ ...one(version), organization_id, deleted_at: null });
    if (version > 1) await versions().replace([idOf(version - 1)], idOf(version));
  }
}
async function trash(version: number) {
  await documents().updateOne(one(version), { $set: { deleted_at: new Date() } });
  await versions().trash([idOf(version)]);
}
async function restore(version: number) {
  await documents().updateOne(one(version), { $set: { deleted_at: null } });
  await versions().restore();
}
/** The versions that are listed: outside the trash, and not replaced. */
async function listed() {
  const found = await documents().find({ deleted_at: null, replaced_by: null }).sort({ _id: 1 }).toArray();
  return found.map(({ _id }) => Number(_id.toHexString()));
}

it('lists the newest version outside the trash, whatever goes there and comes back in which order', async () => {
  const count = 3;
  const moves = Array.from({ length: count }, (_, at) => at + 1);
  // Every way of four moves, each of a version into the trash or out of it.
  for (let way = 0; way < count ** 4; way += 1) {
    await documents().deleteMany({});
    await makeVersions(count);
    const inTrash = new Set<number>();
    const done: string[] = [];
    for (let at = 0, rest = way; at < 4; at += 1, rest = Math.floor(rest / count)) {
      const version = moves[rest % count]!;
      const isBack = inTrash.delete(version);
      if (!isBack) inTrash.add(version);
      await (isBack ? restore(version) : trash(version));
      done.push(`${isBack ? 'restore' : 'trash'} ${version}`);
      const newest = moves.filter((each) => !inTrash.has(each)).at(-1);
      expect(await listed(), done.join(', ')).toEqual(newest === undefined ? [] : [newest]);
    }
  }
});
