import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { extractionModel } from '../extractions/index.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(() => harness.stop());

const newId = () => new mongoose.Types.ObjectId();
const results = () => extractionModel(harness.connection).collection;
const pendingOf = (organization_id: mongoose.Types.ObjectId) =>
  results().countDocuments({ organization_id, release_pending: true });

/** Results whose documents are gone, since when they changed: each has an event that is to be published. */
async function addPending(organization_id: mongoose.Types.ObjectId, changes: readonly number[]): Promise<void> {
  await results().insertMany(
    changes.map((hour) => ({
      _id: newId(),
      organization_id,
      document_id: newId(),
      prompt_revid: newId(),
      prompt_id: newId().toHexString(),
      version: 1,
      changes: 1,
      release: { state: 'withdrawn' },
      outbox: [{ id: newId().toHexString(), type: 'result.withdrawn', version: 1, at: new Date() }],
      created_at: new Date(hour * 3_600_000),
      changed_at: new Date(hour * 3_600_000),
      release_pending: true,
    })),
  );
}

it('many results of one organization do not delay those of another, whenever they changed', async () => {
  const [many, few] = [newId(), newId()];
  await addPending(many, [...Array(150).keys()]);
  // In the middle of the others: neither the oldest nor the latest.
  await addPending(few, [75]);
  const stop = new AbortController();
  const working = harness.services.releaseUpdater.work(stop.signal);
  await expect.poll(() => pendingOf(few), { timeout: 30_000, interval: 5 }).toBe(0);
  stop.abort();
  await working;
  expect(await pendingOf(many)).toBeGreaterThan(0);
});
