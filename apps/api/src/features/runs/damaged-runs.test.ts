import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

it('a damaged run ends and holds up no other, neither one that waits nor one that goes on nor one that is undone', async () => {
  const stored = app.connection.collection('runs');
  const signal = new AbortController().signal;
  const started = async (set: object = {}) => {
    const { organizationId, userId } = app.admin;
    const run = await app.services.runsOf(organizationId).insert({
      schedule_id: null,
      trigger: 'direct',
      action: 'chat',
      filter: null,
      named_ids: [new mongoose.Types.ObjectId().toHexString()],
      max_documents: null,
      prompt_id: null,
      message: 'Look at it.',
      auto_approved_tools: [],
      requested_by: userId,
      role: 'admin',
      due_at: null,
    });
    const _id = new mongoose.Types.ObjectId(run!.id);
    if (Object.keys(set).length > 0) await stored.updateOne({ _id }, { $set: set });
    return _id;
  };
  const state = async (_id: mongoose.Types.ObjectId) => {
    const found = await stored.findOne({ _id });
    return [found?.['state'], found?.['undo']?.state];
  };
  const going = await started({ state: 'running', document_ids: 'no list' });
  const waiting = await started({ named_ids: [null] });
  const undone = await started({ state: 'completed', active: null, requested_by: null, undo: { state: 'running' } });
  const failing = await started({ refused: 'no list' });
  const sound = await started();
  await app.services.runWork.work(signal);
  await app.services.runUndo.work(signal);
  expect(await state(sound)).toEqual(['completed', undefined]);
  expect(await state(undone)).toEqual(['completed', 'incomplete']);
  // Each try of it fails, until it is given up.
  for (let tries = 0; tries < 6; tries += 1) {
    await stored.updateOne({ _id: failing }, { $unset: { 'lease.until': 1 } });
    await app.services.runWork.work(signal);
  }
  for (const damaged of [going, waiting, failing]) expect((await state(damaged))[0]).toBe('failed');
});
