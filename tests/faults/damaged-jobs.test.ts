import { startDemoModel } from '@docwright/demo-model';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../apps/api/src/process/features.ts';
import { startJobs } from '../../apps/api/src/process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { furnish } from './bad-input/furnished-product.ts';

let app: TestApp;
beforeAll(async () => {
  const demo = await startDemoModel();
  const llmEndpoint = { baseUrl: demo.baseUrl, model: demo.model, apiKey: undefined };
  app = await startTestApp({ llmEndpoint });
  await startJobs(app.services);
  await furnish(app.admin);
  await app.services.jobs.stop();
  return () => demo.close();
}, 300_000);
afterAll(() => app.stop());

const past = new Date(Date.now() - 3_600_000);
const event = { id: 'evt_1', type: 'document.ready', at: past };

/** The collections that jobs work on, each with what makes work of a record. */
const work: Record<string, object[]> = {
  collections: [{ status: 'indexing' }],
  document_runs: [{ state: 'waiting' }, { is_unsettled: true, kind: 'auto_create' }],
  documents: [
    { state: 'uploaded', file_id: new mongoose.Types.ObjectId(), read_first_in: new mongoose.Types.ObjectId() },
    { state: 'ocr_processing', ocr_turn: past },
    { state: 'llm_processing', model_lease_until: past, model_run_prompts: [], event_outbox: [event] },
    { deleted_at: past, releases: [{ state: 'released' }] },
    { arrival_due: true, arrivals: [] },
  ],
  extractions: [
    { review_pending: 'written', release_pending: true, index_pending: 'a', announce_pending: 'a' },
    { review_pending: 'rescore', release_pending: true, outbox: [{ ...event, version: 1 }] },
  ],
  sources: [{ next_sync_at: past, connector: '{"kind":"folder","config":{"path":"/nowhere"}}' }],
  turn_writes: [{ unrecorded_since: past, audit_entry: '{"callId":"a"}' }],
  waiting_calls: [{ decided_at: past }],
  webhook_deliveries: [{ state: 'pending', next_try_at: past }],
  webhooks: [{ planned_through: 0 }],
};

const values: unknown[] = ['damaged', { a: { b: 1 } }, 7];

/** Copies of a record, each without one field or with a damaged one. */
function damagedCopies(record: Record<string, unknown>): Record<string, unknown>[] {
  const fields = Object.keys(record).filter((field) => field !== '_id');
  return fields.flatMap((field, index) =>
    [undefined, values[index % values.length]].map((value) => ({
      ...record,
      [field]: value,
      _id: new mongoose.Types.ObjectId(),
    })),
  );
}

test.each(Object.keys(work))(
  'damaged records stop no job that works on the others: %s',
  async (name) => {
    const collection = app.connection.collection(name);
    const record = await collection.findOne();
    expect(record).not.toBeNull();
    const copies = work[name]!.flatMap((makesWork) => damagedCopies({ ...record, ...makesWork }));
    for (const copy of copies) {
      // A unique index refuses some, which then cannot exist.
      await collection.insertOne(copy as never, { ignoreUndefined: true }).catch(() => undefined);
    }
    const failed: string[] = [];
    for (const job of features.jobs(app.services)) {
      await job
        .run(AbortSignal.timeout(20_000))
        .catch((error: unknown) => failed.push(`${job.name}: ${String(error)}`));
    }
    await collection.deleteMany({ _id: { $in: copies.map(({ _id }) => _id) } as never });
    expect(failed).toEqual([]);
  },
  300_000,
);
