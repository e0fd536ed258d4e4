import type { Run, RunDocument } from '@docwright/contract';
import { expect, it } from 'vitest';
import { runEvents } from './follow-run.ts';
import type { RunService } from './run-service.ts';

/** A run of many documents, one of which ends between two looks. */
function runOf(count: number) {
  const ended = new Map<string, Date>();
  const ids = Array.from({ length: count }, (_, at) => `document ${at}`);
  let read = 0;
  const present = (document_id: string): RunDocument => ({
    document_id,
    document_name: null,
    state: ended.has(document_id) ? 'succeeded' : 'queued',
    error: null,
    spu_used: 0,
    thread_id: null,
    started_at: null,
    ended_at: ended.get(document_id)?.toISOString() ?? null,
  });
  const service = {
    get: async () =>
      ({
        waiting: count - ended.size,
        running: 0,
        parked: 0,
        succeeded: ended.size,
        ended_at: ended.size === count ? 'now' : null,
      }) as Run,
    documents: async (_id: string, { skip, limit }: { skip: number; limit: number }, changedSince?: Date) => {
      const listed = ids.filter((id) => changedSince === undefined || (ended.get(id) ?? 0) >= changedSince);
      const documents = listed.slice(skip, skip + limit).map(present);
      read += documents.length;
      return { documents, total_count: listed.length, skip, limit };
    },
  } satisfies Pick<RunService, 'get' | 'documents'>;
  return {
    service,
    end: (at: number, when = new Date()) => void ended.set(ids[at]!, when),
    takeRead: () => [read, (read = 0)][0],
  };
}

it('reads at each change the documents that have changed, and all of them once more at the end', async () => {
  const count = 300;
  const run = runOf(count);
  const events = runEvents(run.service, 'r', new AbortController().signal, 1);
  const next = async () => (await events.next()).value!;
  expect((await next()).type).toBe('run');
  run.end(0);
  const takeChange = async (at: number) => {
    expect(await next()).toMatchObject({ type: 'document', document: { document_id: `document ${at}` } });
  };
  await takeChange(0);
  // The first look goes on before the next one.
  run.end(1);
  await takeChange(1);
  expect(run.takeRead()).toBeLessThanOrEqual(count + 2);
  run.end(2);
  expect((await next()).type).toBe('run');
  await takeChange(2);
  expect((await next()).type).toBe('run');
  expect(run.takeRead()).toBeLessThanOrEqual(3);
  // The clock of another process is an hour late.
  const late = new Date(Date.now() - 3_600_000);
  for (let at = 3; at < count; at += 1) run.end(at, late);
  const rest = [];
  for await (const event of events) rest.push(event.type);
  expect(rest).toEqual([...Array.from({ length: count - 3 }, () => 'document'), 'run', 'done']);
});
