import type { ApprovalEvent, DecideApprovalsEvent, UndoAnswer } from '@docwright/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectDatabase } from '../../platform/database/connection.ts';
import { pollUntil, startApprovalsTestBench, type ApprovalsTestBench } from '../../testing/approvals-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { createApprovalInbox } from './approval-inbox.ts';
import { createApprovalRepositories } from './approval-repository.ts';
import { createCarryOut } from './carry-out-decisions.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: ApprovalsTestBench;
beforeAll(async () => {
  bench = await startApprovalsTestBench();
});
afterAll(() => bench.stop());

/** Collects the events of a stream until `isDone`. */
async function follow<Event>(
  client: TestClient,
  route: string,
  isDone: (events: Event[]) => boolean,
  body?: object,
  onEvent: (events: Event[]) => void = () => undefined,
): Promise<Event[]> {
  const stop = new AbortController();
  const response = await fetch(`${bench.address}/v0/orgs/${client.organizationId}/${route}`, {
    signal: stop.signal,
    headers: { authorization: `Bearer ${client.accessToken}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const events: Event[] = [];
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/mu.exec(frame)?.[1];
      if (data === undefined) continue;
      events.push(JSON.parse(data) as Event);
      onEvent(events);
    }
    if (isDone(events)) break;
  }
  stop.abort();
  return events;
}

it('publishes the counts and each added or removed call, including those of another process', async () => {
  const client = await bench.addOrganization();
  const [first, second] = await bench.uploadDocuments(client, 2);
  await bench.startParkedRun(client, [first!], 'Rename it');
  const [waiting] = (await bench.inbox(client)).approvals;
  // The inbox of another process on the same database.
  const uri = new URL(process.env['TEST_MONGODB_URI']!);
  uri.pathname = bench.connection.name;
  const connection = await connectDatabase(uri.href);
  const log = pino({ level: 'silent' });
  const otherInbox = createApprovalInbox({
    callsOf: createApprovalRepositories(connection),
    carryOut: createCarryOut(bench.services.chat.approvals, log),
    evidenceOnTurns: async (_actor, answer) => answer,
    check: async () => undefined,
  })({ organizationId: client.organizationId, userId: client.userId, role: 'admin' });
  const addAndRemove = async () => {
    await bench.startParkedRun(client, [second!], 'Rename it');
    const decision = { turn_id: waiting!.turn_id, call_id: waiting!.call_id, approved: true };
    for await (const outcome of otherInbox.decide([decision])) expect(outcome.status).toBe('decided');
  };
  let changes: Promise<void> | undefined;
  const events = await follow<ApprovalEvent>(
    client,
    'approvals/events',
    (received) => received.some(({ type }) => type === 'removed') && received.some(({ type }) => type === 'added'),
    undefined,
    (received) => {
      if (changes !== undefined || received.length === 0) return;
      changes = addAndRemove();
    },
  );
  await changes;
  await connection.close();
  expect(events[0]).toEqual({ type: 'count', total_count: 1, total_groups: 1 });
  expect(events.find(({ type }) => type === 'added')).toMatchObject({ approval: { document_id: second } });
  expect(events.find(({ type }) => type === 'removed')).toMatchObject({ call_id: waiting!.call_id });

  const viewer = await bench.addUser('viewer', client.organizationId);
  const viewerEvents = await follow<ApprovalEvent>(viewer, 'approvals/events', ({ length }) => length > 0);
  expect(viewerEvents).toEqual([{ type: 'count', total_count: 0, total_groups: 0 }]);
});

/** Large form: DECISIONS=200. */
const count = Number(process.env['DECISIONS'] ?? 12);

it(`streams the progress of ${count} decisions`, { timeout: 300_000 }, async () => {
  const client = await bench.addOrganization();
  const ids: string[] = [];
  while (ids.length < count) ids.push(...(await bench.uploadDocuments(client, Math.min(50, count - ids.length))));
  const run = await bench.startParkedRun(client, ids, 'Rename it');
  const approvals = (await bench.inbox(client)).approvals.slice(0, count);
  for (let skip = 100; skip < count; skip += 100) {
    approvals.push(...(await bench.inbox(client, `skip=${skip}`)).approvals);
  }
  const decisions = approvals.map(({ turn_id, call_id }) => ({ turn_id, call_id, approved: true }));
  const times: number[] = [];
  const from = performance.now();
  const events = await follow<DecideApprovalsEvent>(
    client,
    'approvals/decide',
    (received) => received.at(-1)?.type === 'done',
    { decisions, stream: true },
    () => times.push(performance.now() - from),
  );
  expect(events).toHaveLength(count + 1);
  expect(events[0]).toMatchObject({ type: 'outcome', decided: 1, total: count, outcome: { status: 'decided' } });
  expect(events.at(-2)).toMatchObject({ type: 'outcome', decided: count, total: count });
  // Each outcome is sent as it arrives, not all at the end.
  expect(times[0]).toBeLessThan(times.at(-1)!);
  const done = events.at(-1);
  expect(done?.type === 'done' && done.outcomes.map(({ call_id }) => call_id)).toEqual(
    decisions.map(({ call_id }) => call_id),
  );
  if (process.env['DECISIONS'] !== undefined) {
    process.stdout.write(`first after ${Math.round(times[0]!)} ms, all after ${Math.round(times.at(-1)!)} ms\n`);
  }
  await pollUntil(bench.readRun(client, run.id), ({ succeeded }) => succeeded === count);
});

it('undoes an approved call by its turn, and the run can still be undone', async () => {
  const client = await bench.addOrganization();
  const run = await bench.startParkedRun(client, await bench.uploadDocuments(client, 2), 'Tag it');
  const { approvals } = await bench.inbox(client);
  await bench.decide(client, approvals);
  await pollUntil(bench.readRun(client, run.id), ({ succeeded }) => succeeded === 2);
  const [{ document_id, turn_id }] = approvals as [(typeof approvals)[0]];
  const undone = await client.post<UndoAnswer>(`./documents/${document_id}/chat/turns/${turn_id}/undo`, {});
  expect([undone.status, undone.body.undone.length, (await bench.listTags(client)).length]).toEqual([200, 1, 1]);
  await client.post(`./runs/${run.id}/undo`, {});
  const { undo } = await pollUntil(
    bench.readRun(client, run.id),
    (read) => read.undo !== undefined && read.undo.state !== 'running',
  );
  expect(undo).toMatchObject({ state: 'completed', conflicts: [] });
  expect(await bench.listTags(client)).toEqual([]);
});

it('lists calls of chats or of runs', async () => {
  const client = await bench.addOrganization();
  const [one, two] = await bench.uploadDocuments(client, 2);
  await bench.startParkedRun(client, [one!], 'Tag it');
  await client.post(`./documents/${two}/chat`, { messages: [{ role: 'user', content: 'Tag it' }] });
  const totals = async (query: string) => (await bench.inbox(client, query)).total_count;
  expect([await totals(''), await totals('from=runs'), await totals('from=chats')]).toEqual([2, 1, 1]);
  expect((await bench.inbox(client, 'from=chats')).approvals[0]).not.toHaveProperty('run_id');
  expect((await client.get('./approvals?from=nowhere')).status).toBe(422);
});
