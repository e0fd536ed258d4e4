import type { StoredBudget, Extraction, OrganizationUsage, Prompt, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { decideAll, userMessage, startChatTestBench, type ChatTestBench } from '../../testing/chat-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { createUsageRepositories } from './usage-repository.ts';

let bench: ChatTestBench;
/** The admin of an organization without usage. */
let admin: TestClient;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());
beforeEach(async () => {
  admin = await bench.addOrganization();
});

const usageOf = async (client: TestClient) => (await client.get<OrganizationUsage>('./usage')).body;
const tokens = (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 0, estimated: false });
const today = () => new Date().toISOString().slice(0, 10);

it('has no limit until an admin sets one', async () => {
  expect(await usageOf(admin)).toEqual({
    spu_balance: null,
    spu_used: 0,
    spu_limit: null,
    currency: 'USD',
    cost_balance_micros: null,
    cost_used_micros: 0,
    cost_limit_micros: null,
    unpriced_calls: 0,
    period: 'total',
    stored_bytes: 0,
    stored_bytes_limit: null,
    by_day: [],
    by_model: [],
    by_thread: [],
    by_user: [],
    by_prompt: [],
    by_document: [],
    by_run: [],
  });
  const set = await admin.put<StoredBudget>('./budget', { spu_limit: 10, cost_limit_micros: 500, period: 'month' });
  const stored = { spu_limit: 10, cost_limit_micros: 500, currency: 'USD', period: 'month' };
  expect([set.status, set.body]).toEqual([200, stored]);
  // As programs from before there was money ask: the limit in money stays.
  expect((await admin.put<StoredBudget>('./budget', { spu_limit: 10, period: 'month' })).body).toEqual(stored);
  expect(await usageOf(admin)).toMatchObject({ cost_balance_micros: 500, cost_limit_micros: 500 });
  // What is left out stays, also if another user has set it.
  expect((await admin.put<StoredBudget>('./budget', { cost_limit_micros: 600 })).body).toEqual({
    ...stored,
    cost_limit_micros: 600,
  });
  await admin.put('./budget', { spu_limit: 10, cost_limit_micros: null, period: 'month' });
  expect(await usageOf(admin)).toMatchObject({ spu_balance: 10, spu_limit: 10, period: 'month' });
  await admin.put('./budget', { spu_limit: null, period: 'total' });
  expect(await usageOf(admin)).toMatchObject({ spu_balance: null });
});

it('is set by admins, read by members, and unknown to other organizations', async () => {
  const member = await bench.addUser('member', admin.organizationId);
  expect((await member.put('./budget', { spu_limit: 1, period: 'total' })).status).toBe(403);
  expect((await member.get('./usage')).status).toBe(200);
  const path = `/v0/orgs/${admin.organizationId}`;
  expect((await bench.admin.get(`${path}/usage`)).status).toBe(404);
  expect((await bench.admin.put(`${path}/budget`, { spu_limit: 1, period: 'total' })).status).toBe(404);
  for (const body of [{ spu_limit: -1, period: 'total' }, { spu_limit: 1, period: 'day' }, { spu_limit: '1' }]) {
    expect((await admin.put('./budget', body)).status).toBe(422);
  }
});

it('sums every model call by day, model and thread; members see their own threads', async () => {
  const { chat } = await bench.documentOf(admin);
  bench.script({ calls: [{ name: 'list_tags' }], usage: tokens(1_001) }, { text: 'None.', usage: tokens(10) });
  const { body } = await admin.post<TurnAnswer>(chat, userMessage('Which tags are there?'));
  expect(body.usage.spu).toBe(3);
  const spent = { spu: 3, calls: 2, prompt_tokens: 1_011, completion_tokens: 0 };
  expect(await usageOf(admin)).toMatchObject({
    spu_used: 3,
    by_day: [{ ...spent, day: today() }],
    by_model: [{ ...spent, model: 'no-model' }],
    by_thread: [{ ...spent, thread_id: body.thread_id }],
  });
  const member = await bench.addUser('member', admin.organizationId);
  expect(await usageOf(member)).toMatchObject({ spu_used: 3, by_thread: [] });
});

it('answers 402 before the first call, and preserves finished work when the budget ends in a turn', async () => {
  const { chat } = await bench.documentOf(admin);
  await admin.put('./budget', { spu_limit: 2, period: 'total' });
  const llm = bench.script({
    text: 'I look at the tags.',
    calls: [{ name: 'list_tags' }],
    usage: tokens(1_500),
  });
  const { status, body } = await admin.post<TurnAnswer>(chat, userMessage('Which tags are there?'));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'failed',
    error: { code: 'budget_exhausted', message: expect.stringContaining('admin') },
    executed_rounds: [{ text: 'I look at the tags.', tool_calls: [{ name: 'list_tags', success: true }] }],
    usage: { spu: 2 },
  });
  llm.assertFinished();
  expect(await usageOf(admin)).toMatchObject({ spu_balance: 0, spu_used: 2 });

  const refused = await admin.post(chat, userMessage('And now?'));
  expect([refused.status, refused.error?.code]).toEqual([402, 'budget_exhausted']);
  await admin.put('./budget', { spu_limit: 3, period: 'total' });
  bench.script({ text: 'Go on.' });
  expect((await admin.post<TurnAnswer>(chat, userMessage('And now?'))).body.status).toBe('completed');
});

it('stops a turn that continues after an approval, with the approved write done', async () => {
  const { chat } = await bench.documentOf(admin);
  await admin.put('./budget', { spu_limit: 1, period: 'total' });
  bench.script({ calls: [{ name: 'create_tag', args: { name: 'Invoice' } }] });
  const waiting = (await admin.post<TurnAnswer>(chat, userMessage('Make a tag'))).body;
  const { status, body } = await admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'failed', error: { code: 'budget_exhausted' } });
  expect(body.executed_rounds[0]?.tool_calls[0]).toMatchObject({ name: 'create_tag', success: true });
  expect((await admin.get<{ total_count: number }>('./tags')).body.total_count).toBe(1);
});

it('checks and charges an extraction and its correction each', async () => {
  const { id } = await bench.documentOf(admin);
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const schema = {
    type: 'object',
    properties: { total: { type: 'number' } },
    required: ['total'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 's', strict: true, schema } };
  const { schema_id } = (await admin.post<{ schema_id: string }>('./schemas', { name: 's', response_format })).body;
  const made = await admin.post<Prompt>('./prompts', { name: 'p', content: 'c', schema_id });
  const { prompt_id, prompt_revid } = made.body;
  const extract = () => admin.post<Extraction>(`./documents/${id}/extractions`, { prompt_revid });

  bench.script({ text: '{"total":"five"}', usage: tokens(2_000) }, { text: '{"total":5}', usage: tokens(2_500) });
  expect((await extract()).body).toMatchObject({ result: { total: 5 }, usage: { spu: 5 } });
  const spent = { spu: 5, calls: 2, cost_micros: 0, unpriced_calls: 2 };
  expect(await usageOf(admin)).toMatchObject({
    spu_used: 5,
    unpriced_calls: 2,
    by_model: [{ ...spent, model: 'no-model', price: null }],
    by_thread: [],
    by_user: [{ ...spent, user_id: admin.userId, name: expect.any(String) }],
    by_prompt: [{ ...spent, prompt_id, name: 'p' }],
    by_document: [{ ...spent, document_id: id, name: expect.any(String) }],
  });

  await admin.put('./budget', { spu_limit: 6, period: 'total' });
  const llm = bench.script({ text: '{"total":"five"}' });
  const refused = await extract();
  expect([refused.status, refused.error?.code]).toEqual([402, 'budget_exhausted']);
  llm.assertFinished();
  const former = await admin.get<Extraction>(`./documents/${id}/extractions/${prompt_revid}`);
  expect(former.body.result).toEqual({ total: 5 });
});

it('charges an extraction that the agent ran to its thread', async () => {
  const { chat } = await bench.documentOf(admin);
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const { prompt_revid } = (await admin.post<Prompt>('./prompts', { name: 'p', content: 'c' })).body;
  const call = { name: 'run_extraction', args: { prompt_revid } };
  bench.script({ calls: [call], usage: tokens(1) }, { text: '{"total":5}', usage: tokens(4_000) }, { text: 'Done.' });
  const waiting = (await admin.post<TurnAnswer>(chat, userMessage('Extract'))).body;
  const { body } = await admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  expect(body.status).toBe('completed');
  expect((await usageOf(admin)).by_thread).toMatchObject([{ thread_id: body.thread_id, spu: 6, calls: 3 }]);
});

it('counts concurrent charges in different months', async () => {
  const usage = createUsageRepositories(bench.connection, 'USD')(admin.organizationId);
  const charge = (at: Date, threadId: string, costMicros: number | undefined) =>
    usage.charge({
      at,
      model: 'a.model/with $igns',
      userId: admin.userId,
      threadId,
      documentId: undefined,
      costMicros,
      spu: 2,
      prompt_tokens: 1_500,
      completion_tokens: 1,
      estimated: true,
    });
  const lastMonth = new Date('2026-01-31T23:59:59.999Z');
  const thisMonth = new Date('2026-02-01T00:00:00.000Z');
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      charge(n % 2 === 0 ? lastMonth : thisMonth, `t${n % 3}`, n % 4 < 2 ? 12 : undefined),
    ),
  );
  expect(await usage.used(undefined)).toEqual({ spu: 80, costMicros: 240 });
  expect(await usage.used('2026-01')).toEqual({ spu: 40, costMicros: 120 });
  expect(await usage.used('2026-03')).toEqual({ spu: 0, costMicros: 0 });
  const counted = { calls: 20, prompt_tokens: 30_000, completion_tokens: 20, cost_micros: 120, unpriced_calls: 10 };
  expect(await usage.byDay('2026-02')).toEqual([{ day: '2026-02-01', spu: 40, ...counted }]);
  expect(await usage.most('model', '2026-02')).toEqual([{ key: 'a.model/with $igns', spu: 40, ...counted }]);
  const threads = await usage.most('thread', '2026-02', admin.userId);
  expect(threads.reduce((sum, { spu }) => sum + spu, 0)).toBe(40);
  expect(await usage.most('thread', '2026-02', 'another user')).toEqual([]);
  expect((await usage.most('model', undefined))[0]).toMatchObject({ spu: 80, cost_micros: 240, unpriced_calls: 20 });
  expect((await usage.byDay(undefined)).map(({ day }) => day)).toEqual(['2026-01-31', '2026-02-01']);
  // Amounts in another currency are not added up.
  const inEuro = createUsageRepositories(bench.connection, 'EUR')(admin.organizationId);
  expect((await inEuro.most('model', undefined))[0]).toMatchObject({ spu: 80, cost_micros: 0, unpriced_calls: 40 });
  await usage.setBudget({ spu_limit: null, cost_limit_micros: 1_000_000, period: 'total' }, admin.userId);
  expect(await inEuro.budget()).toMatchObject({ cost_limit_micros: 0, currency: 'EUR' });
});
