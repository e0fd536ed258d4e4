import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../../../platform/database/connection.ts';
import { newTestDatabase } from '../../../testing/test-database.ts';
import { revisionModels } from '../../revisions/index.ts';
import { createPolicyRepositories } from './policy-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectDatabase(newTestDatabase());
});
afterAll(async () => connection.close());

it('follows the policy that was stored last, although the clock of its writer was behind', async () => {
  const [_id, organization_id] = [new mongoose.Types.ObjectId(), new mongoose.Types.ObjectId()];
  const { artifacts } = revisionModels(connection, 'prompt');
  const policies = createPolicyRepositories(connection)(organization_id.toHexString());
  const store = (max_wrong: number, changed_at: string) => {
    const policy = { max_wrong, confidence: 0.95, unit: 'document', sample: 0.02 };
    const release_policy = { policy, changed_by: 'somebody', changed_at };
    return artifacts.collection.updateOne(
      { _id },
      { $set: { organization_id, settings: { release_policy } } },
      { upsert: true },
    );
  };
  const current = async () => {
    const { policy, version } = (await policies.current(_id.toHexString()))!;
    return [policy?.max_wrong, version];
  };
  await store(0.03, '2026-01-01T00:00:00.500Z');
  expect(await current()).toEqual([0.03, 1]);
  await store(0.01, '2026-01-01T00:00:00.400Z');
  expect(await current()).toEqual([0.01, 2]);
  expect(await current()).toEqual([0.01, 2]);
});
