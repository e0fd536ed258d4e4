import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { expect, it, vi } from 'vitest';
import type { BulkRecord } from './bulk-model.ts';
import type { ChunkOutcome } from './bulk-repository.ts';
import { createBulkWorkService, type BulkWorkDependencies, type PurgeOutcome } from './bulk-work-service.ts';

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
  const purge = vi.fn<() => Promise<PurgeOutcome>>(async () => {
    await sleep(50);
    return 'purged';
  });
  const dependencies = { jobs, purge, roleOf: async () => 'member', renewEveryMs: 5, log: { error: () => undefined } };
  const service = createBulkWorkService(dependencies as unknown as BulkWorkDependencies);
  await service.work(new AbortController().signal);
  expect(purge.mock.calls.length).toBeLessThan(10);
  expect([jobs.advance, jobs.finish, jobs.release].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

it.each([
  { attempts: 1, outcome: [2, ['document_not_found']] },
  { attempts: 2, outcome: [3, []] },
])('counts what a killed process had removed as removed, at attempt $attempts', async ({ attempts, outcome }) => {
  const ids = [id(), id(), id()];
  const owned = { _id: id(), organization_id: id(), requested_by: id(), role: 'member', action: 'purge', tag_ids: [] };
  const claims = [
    { bulk: { ...owned, document_ids: ids, total: 3, position: 0, stop_requested: false, attempts }, token: 'mine' },
  ];
  const outcomes: ChunkOutcome[] = [];
  const jobs = {
    claim: async () => claims.shift(),
    renew: async () => true,
    start: async () => undefined,
    async advance(_claim: unknown, _position: number, done: ChunkOutcome) {
      outcomes.push(done);
      return { stop: false };
    },
    finish: async () => undefined,
  };
  const purge = async (_organization: string, document: string): Promise<PurgeOutcome> =>
    document === String(ids[0]) ? 'gone' : 'purged';
  const dependencies = { jobs, purge, roleOf: async () => 'member', log: { error: () => undefined } };
  await createBulkWorkService(dependencies as unknown as BulkWorkDependencies).work(new AbortController().signal);
  expect(outcomes.map(({ succeeded, failures }) => [succeeded, failures.map(({ code }) => code)])).toEqual([outcome]);
});

/** Works with turns of no length on a job of 1,200 documents, whose undo has a conflict in each chunk of 500. */
async function workInTurns(undo?: { state: 'running'; last?: mongoose.Types.ObjectId }) {
  const bulk = {
    _id: id(),
    organization_id: id(),
    requested_by: id(),
    role: 'member',
    action: 'tag',
    document_ids: Array.from({ length: 1_200 }, id),
    tag_ids: [],
    total: 1_200,
    position: 0,
    stop_requested: false,
    undo: undo ?? null,
  } as unknown as BulkRecord;
  const notes = bulk.document_ids.map((document_id) => ({ document_id }));
  const log: string[] = [];
  let isDone = false;
  const note = (what: string) => async () => void log.push(what);
  const done = (what: string) => async () => {
    isDone = true;
    log.push(what);
  };
  const jobs = {
    claim: async () => (isDone || log.length > 20 ? undefined : { bulk, token: 'mine' }),
    renew: async () => true,
    start: async () => undefined,
    advance: async (_claim: unknown, position: number) => {
      bulk.position = position;
      return { stop: false };
    },
    advanceUndo: async (_claim: unknown, last: mongoose.Types.ObjectId) => {
      bulk.undo!.last = last;
      return true;
    },
    finish: done('finished'),
    finishUndo: done('undone'),
    release: note('released'),
  };
  const writes = {
    apply: async (_bulk: BulkRecord, _action: string, ids: unknown[]) => {
      log.push(`wrote ${ids.length}`);
      return { succeeded: ids.length, unchanged: 0, failures: [] };
    },
    changes: async (_bulk: BulkRecord, last: mongoose.Types.ObjectId | undefined) => {
      const from = last === undefined ? 0 : notes.findIndex(({ document_id }) => document_id === last) + 1;
      return notes.slice(from, from + 500);
    },
    undo: async (_bulk: BulkRecord, _action: string, changes: unknown[]) => {
      log.push(`undid ${changes.length}`);
      return { undone: changes.length - 1, conflicts: [{}] };
    },
  };
  const service = createBulkWorkService({
    jobs,
    writes,
    roleOf: async () => 'member',
    checkTags: async () => undefined,
    turnMs: 0,
    log: { error: ({ err }: { err: Error }) => log.push(String(err)) },
  } as unknown as BulkWorkDependencies);
  await service.work(new AbortController().signal);
  return log;
}

it('gives its place up after each turn, and goes on where it was', async () => {
  expect(await workInTurns()).toEqual(['wrote 500', 'released', 'wrote 500', 'released', 'wrote 200', 'finished']);
});

it('looks at each document once when an undo has several turns: conflicts are counted once', async () => {
  const turns = ['undid 500', 'released', 'undid 500', 'released', 'undid 200', 'released', 'undone'];
  expect(await workInTurns({ state: 'running' })).toEqual(turns);
});
