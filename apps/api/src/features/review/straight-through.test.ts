import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptContributionModel, keptSumModel } from '../../platform/database/kept-sums/kept-sums-model.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { queueStampModel, reviewQueueModel } from './review-queue-model.ts';
import { createReviewQueues } from './review-queue-repository.ts';
import { createStraightThroughSums } from './straight-through-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  const models = [reviewQueueModel, queueStampModel, keptSumModel, keptContributionModel];
  await Promise.all(models.map((model) => model(connection).createIndexes()));
});
afterAll(() => connection.close());

const newId = () => new mongoose.Types.ObjectId().toHexString();

it('equals a count of the queue after any order of new entries, other figures and removals', async () => {
  const [organizationId, promptId, other, prompt_revid] = [newId(), newId(), newId(), newId()];
  const queue = createReviewQueues(connection)(organizationId);
  const sums = createStraightThroughSums(connection, () => Promise.resolve());
  const documents = Array.from({ length: 9 }, newId);
  const put = async (document_id: string, changes: number, prompt_id = promptId) => {
    const [values, accepted, sampled, sampled_wrong] = [changes + 2, changes % 3, changes % 2, 0];
    const figures = { values, decided: 0, accepted, sampled, sampled_wrong };
    await queue.put({ document_id, prompt_id, prompt_revid, changes, open: Buffer.alloc(0), ...figures });
  };
  for (let step = 1; step < 60; step += 1) {
    const documentId = documents[(step * 5) % documents.length]!;
    const change = step % 4 === 0 ? queue.remove(documentId) : put(documentId, step);
    // Looks while it changes must not be kept for later.
    await Promise.all([
      change,
      step % 3 === 0 && sums.ofPrompt(organizationId, promptId),
      put(documentId, step, other),
    ]);
    const entries = await reviewQueueModel(connection).find({ prompt_id: promptId }).lean();
    const total = (field: 'values' | 'accepted' | 'sampled') => entries.reduce((sum, entry) => sum + entry[field], 0);
    const counted = { values: total('values'), accepted: total('accepted'), sampled: total('sampled') };
    expect(await sums.ofPrompt(organizationId, promptId)).toEqual({ ...counted, sampled_wrong: 0, isWhole: true });
  }
});

it('counts nothing of the trash, also while more entries have changed than a request measures', async () => {
  const [organizationId, promptId, trashed] = [newId(), newId(), new mongoose.Types.ObjectId()];
  const organization_id = new mongoose.Types.ObjectId(organizationId);
  const figures = { is_open: false, open: Buffer.alloc(4), values: 2, decided: 0, accepted: 1, sampled: 0 };
  const put = (documents: readonly mongoose.Types.ObjectId[]) =>
    reviewQueueModel(connection).insertMany(
      documents.map((document_id) => ({
        ...figures,
        sampled_wrong: 0,
        organization_id,
        document_id,
        prompt_id: promptId,
        prompt_revid: document_id,
        changes: 1,
        changed_at: new Date(),
      })),
    );
  await connection.collection('documents').insertOne({ _id: trashed, organization_id, deleted_at: new Date() });
  await put([trashed, new mongoose.Types.ObjectId()]);
  const sums = createStraightThroughSums(connection, () => Promise.resolve());
  expect(await sums.ofPrompt(organizationId, promptId)).toMatchObject({ values: 2, accepted: 1 });
  await put(Array.from({ length: 1_001 }, () => new mongoose.Types.ObjectId()));
  expect(await sums.ofPrompt(organizationId, promptId)).toMatchObject({ values: 2, accepted: 1 });
  await sums.keepUp(new AbortController().signal);
  expect(await sums.ofPrompt(organizationId, promptId)).toMatchObject({ values: 2_004, accepted: 1_002 });
});
