import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { expect, it, vi } from 'vitest';
import type { BulkRecord } from './bulk-model.ts';
import { createBulkWorkService, type BulkWorkDependencies } from './bulk-work-service.ts';

const id = () => new mongoose.Types.ObjectId();

it('stops within a chunk when its lease is lost, and ends nothing', async () => {
  const bulk = {
    _id: id(),
    organization_id: id(),
    requested_by: id(),
    role: 'member',
    action: 'purge',
    document_ids: Array.from({ length: 10 }, id),
    tag_ids: [],
    total: 10,
    position: 0,
    stop_requested: false,
  } as unknown as BulkRecord;
  const claims = [{ bulk, token: 'mine' }];
  const jobs = {
    claim: async () => claims.shift(),
    renew: async () => false,
    start: async () => undefined,
    advance: vi.fn<() => Promise<undefined>>(async () => undefined),
    finish: vi.fn<() => Promise<void>>(async () => undefined),
    release: vi.fn<() => Promise<void>>(async () => undefined),
  };
  const purge = vi.fn<() => Promise<boolean>>(async () => {
    await sleep(50);
    return true;
  });
  const dependencies = { jobs, purge, roleOf: async () => 'member', renewEveryMs: 5, log: { error: () => undefined } };
  const service = createBulkWorkService(dependencies as unknown as BulkWorkDependencies);
  await service.work(new AbortController().signal);
  expect(purge.mock.calls.length).toBeLessThan(10);
  expect([jobs.advance, jobs.finish, jobs.release].flatMap(({ mock }) => mock.calls)).toEqual([]);
});
