import mongoose from 'mongoose';
import { expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { extractionModel } from '../extractions/index.ts';
import type { FitClaim } from '../value-risk/index.ts';
import { createCalibrationService } from './calibration-service.ts';
import { reviewQueueModel } from './review-queue-model.ts';
import { createReviewedResults } from './reviewed-result-repository.ts';

it('a prompt whose results cannot be read is set aside and does not keep others from being calibrated', async () => {
  const claimOf = (id: string): FitClaim => ({
    id,
    organizationId: id,
    promptId: id,
    renew: async () => true,
    store: async () => true,
  });
  const due = [claimOf('damaged'), claimOf('sound')];
  const excepted: string[] = [];
  const calibrated: string[] = [];
  const calibration = createCalibrationService({
    results: {
      async *decided(organizationId) {
        if (organizationId === 'damaged') throw new TypeError('no result');
        yield* [];
      },
    },
    queue: {
      async claim(_interval, except) {
        excepted.push(except.join(','));
        return due.shift();
      },
    },
    rescore: async (organizationId) => void calibrated.push(organizationId),
    log: { error: vi.fn<() => void>() },
  });
  await calibration.work(new AbortController().signal);
  expect([calibrated, excepted]).toEqual([['sound'], ['', 'damaged', 'damaged']]);
});

it('reads the texts of few results at once, since each can be megabytes', async () => {
  const connection = await connectTestDatabase();
  const newId = () => new mongoose.Types.ObjectId();
  const [organization_id, prompt_revid, prompt_id, at] = [newId(), newId(), newId().toHexString(), new Date()];
  const records = Array.from({ length: 25 }, () => ({
    _id: newId(),
    organization_id,
    document_id: newId(),
    prompt_revid,
    prompt_id,
    version: 1,
    changes: 1,
    result: '{}',
    original_result: '{}',
    grounding: '{}',
    validation_errors: [],
    is_verified: true,
    model: 'm',
    usage: { prompt_tokens: 1, completion_tokens: 1, spu: 1, estimated: false },
    created_at: at,
    changed_at: at,
  }));
  await extractionModel(connection).collection.insertMany(records);
  await reviewQueueModel(connection).collection.insertMany(
    records.map(({ document_id }) => ({ organization_id, prompt_id, document_id, prompt_revid, decided: 1 }) as never),
  );
  const read: number[] = [];
  connection.getClient().on('commandSucceeded', ({ commandName, reply }: mongoose.mongo.CommandSucceededEvent) => {
    const { cursor } = reply as { cursor?: { ns: string; firstBatch?: unknown[] } };
    if (commandName === 'find' && cursor?.ns.endsWith('.extractions')) read.push(cursor.firstBatch?.length ?? 0);
  });
  const decided = createReviewedResults(connection).decided(organization_id.toHexString(), prompt_id, 2_000);
  expect((await decided.next()).value).toMatchObject({ extraction: { is_verified: true } });
  expect(read).toEqual([10]);
  let count = 1;
  for await (const result of decided) count += result === undefined ? 0 : 1;
  expect([count, read]).toEqual([25, [10, 10, 5]]);
  await connection.close();
});
