import type {
  Extraction,
  MatchingDocuments,
  OrganizationUsage,
  Run,
  RunDocument,
  RunEvent,
  Schedule,
} from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  responseFormat,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../testing/auto-create-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: AutoCreateTestBench;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());

async function upload(client: TestClient, count: number): Promise<string[]> {
  const uploaded = await Promise.all(Array.from({ length: count }, () => bench.upload(client)));
  return await Promise.all(uploaded.map(async ({ id }) => (await bench.waitForEnd(client, id)).id));
}

async function waitForEnd(client: TestClient, id: string): Promise<Run> {
  await expect
    .poll(async () => (await client.get<Run>(`./runs/${id}`)).body.ended_at, { timeout: 20_000 })
    .not.toBeNull();
  return (await client.get<Run>(`./runs/${id}`)).body;
}

describe('an unattended chat', () => {
  it('sends one message to each document, and writes only with the allowed tools', async () => {
    const client = await bench.addOrganization();
    const ids = await upload(client, 2);
    const model = bench.script(
      { calls: [{ name: 'create_tag', args: { name: 'read' } }] },
      { text: 'Done with it.' },
      { calls: [{ name: 'update_document', args: { document_name: 'renamed' } }] },
      { text: 'I may not.' },
    );
    const asked = await client.post<Run>('./runs', {
      document_ids: ids.slice(0, 1),
      message: 'Tag it.',
      auto_approved_tools: ['create_tag'],
    });
    expect(asked.status).toBe(201);
    expect(asked.body).toMatchObject({
      trigger: 'direct',
      action: 'chat',
      state: 'queued',
      schedule_id: null,
      message: 'Tag it.',
    });
    const first = await waitForEnd(client, asked.body.id);
    expect(first).toMatchObject({ state: 'completed', matched: 1, total: 1, succeeded: 1, failed: 0 });
    expect(first.spu_used).toBeGreaterThan(0);
    const { by_run } = (await client.get<OrganizationUsage>('./usage')).body;
    expect(by_run).toMatchObject([{ run_id: first.id, spu: first.spu_used }]);

    const second = await client.post<Run>('./runs', { document_ids: ids.slice(1), message: 'Rename it.' });
    await waitForEnd(client, second.body.id);
    model.assertFinished();
    const { body: names } = await client.get<{ documents: { document_name: string }[] }>('./documents');
    expect(names.documents.map(({ document_name }) => document_name)).toEqual(['note.txt', 'note.txt']);

    const { body } = await client.get<{ documents: RunDocument[] }>(`./runs/${asked.body.id}/documents`);
    const [document] = body.documents;
    expect(document).toMatchObject({ document_id: ids[0], document_name: 'note.txt', state: 'succeeded' });
    const thread = await client.get<{ messages: { content: string }[] }>(
      `./documents/${ids[0]}/chat/threads/${document?.thread_id}`,
    );
    expect(thread.body.messages.at(0)?.content).toBe('Tag it.');
    expect(thread.body.messages.at(-1)?.content).toBe('Done with it.');
  });

  const id = 'f'.repeat(24);
  it.each([
    ['no documents', { message: 'x' }, 400, 'documents_needed'],
    ['documents and a filter', { message: 'x', document_ids: [id], filter: {} }, 400, 'documents_needed'],
    ['an unknown document', { message: 'x', document_ids: [id] }, 400, 'unknown_reference'],
    ['an unknown tag', { message: 'x', filter: { tag_ids: [id] } }, 400, 'unknown_reference'],
    ['an unknown tool', { message: 'x', filter: {}, auto_approved_tools: ['rm'] }, 400, 'unknown_tool'],
    ['no message', { filter: {} }, 422, 'invalid_request'],
  ])('is rejected for %s', async (_, body, status, code) => {
    const answer = await bench.admin.post('./runs', body);
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
  });

  it('is visible to its requester and to admins, and forbidden for viewers', async () => {
    const owner = await bench.addOrganization();
    const member = await bench.addUser('member', owner.organizationId);
    const other = await bench.addUser('member', owner.organizationId);
    const viewer = await bench.addUser('viewer', owner.organizationId);
    const body = { filter: {}, message: 'x' };
    expect((await viewer.post('./runs', body)).error?.code).toBe('viewer_cannot_write');
    const { body: run } = await member.post<Run>('./runs', body);
    expect((await other.get(`./runs/${run.id}`)).status).toBe(404);
    expect((await other.post(`./runs/${run.id}/stop`)).status).toBe(404);
    expect((await other.get(`./runs/${run.id}/events`)).status).toBe(404);
    expect((await other.get('./runs')).body).toMatchObject({ runs: [], total_count: 0 });
    expect((await owner.get('./runs')).body).toMatchObject({ runs: [{ id: run.id }], total_count: 1 });
    expect((await member.get('./runs?state=skipped')).body).toMatchObject({ total_count: 0 });
    expect((await waitForEnd(member, run.id)).state).toBe('completed');
  });
});

describe('a schedule of extractions', () => {
  it('runs when it is due, and reports the progress and the failure of documents', async () => {
    const client = await bench.addOrganization();
    const ids = await upload(client, 3);
    const { body: schema } = await client.post<{ schema_id: string }>('./schemas', {
      name: 'Invoice',
      response_format: responseFormat,
    });
    const { body: prompt } = await client.post<{ prompt_id: string; prompt_revid: string }>('./prompts', {
      name: 'Invoice',
      content: 'Take the total.',
      schema_id: schema.schema_id,
    });
    // One of the three documents gets no JSON; their order is not fixed.
    bench.script({ text: '{"total": 5}' }, { text: 'no idea' }, { text: '{"total": 5}' });
    const { body: schedule } = await client.post<Schedule>('./schedules', {
      name: 'Every minute',
      every: '1m',
      action: 'run_extraction',
      filter: { without_result: true },
      prompt_id: prompt.prompt_id,
    });
    await bench.connection
      .collection('schedules')
      .updateMany({ name: 'Every minute' }, { $set: { next_due_at: new Date(Date.now() - 5_000) } });
    await expect
      .poll(
        async () => (await client.get<{ total_count: number }>(`./schedules/${schedule.id}/runs`)).body.total_count,
        { timeout: 20_000 },
      )
      .toBe(1);
    const { body: listed } = await client.get<{ runs: Run[] }>(`./schedules/${schedule.id}/runs`);
    const { id } = listed.runs[0]!;
    const events = await readEvents(client, id);
    const [first, last] = [events[0], events.at(-1)];
    expect(first?.type).toBe('run');
    expect(last).toMatchObject({
      type: 'done',
      run: {
        trigger: 'due',
        state: 'completed',
        matched: 3,
        succeeded: 2,
        failed: 1,
        failures: [{ message: expect.any(String) }],
      },
    });
    const states = new Map(
      events.flatMap((event) =>
        event.type === 'document' ? [[event.document.document_id, event.document.state]] : [],
      ),
    );
    expect([...states.keys()].toSorted()).toEqual(ids.toSorted());
    expect([...states.values()].toSorted()).toEqual(['failed', 'succeeded', 'succeeded']);
    const failed = [...states].find(([, state]) => state === 'failed')?.[0];
    for (const documentId of ids.filter((one) => one !== failed)) {
      const { body } = await client.get<{ extractions: Extraction[] }>(`./documents/${documentId}/extractions`);
      expect(body.extractions).toMatchObject([{ prompt_revid: prompt.prompt_revid, result: { total: 5 } }]);
    }

    // The next run processes the remaining documents; the matching route counts them before.
    const matching = (body: object) => client.post<MatchingDocuments>('./runs/matching', body);
    expect((await matching({ max_documents: 2 })).body).toEqual({ matched: 3, total: 2 });
    const { prompt_id } = prompt;
    expect((await matching({ filter: { without_result: true }, prompt_id })).body).toEqual({ matched: 1, total: 1 });
    expect((await matching({ filter: { name_search: 'nowhere' } })).body).toEqual({ matched: 0, total: 0 });
    expect((await matching({ prompt_id: 'f'.repeat(24) })).error?.code).toBe('unknown_reference');
    bench.script({ text: '{"total": 6}' });
    const again = await client.post<Run>(`./schedules/${schedule.id}/run`);
    expect(await waitForEnd(client, again.body.id)).toMatchObject({ matched: 1, succeeded: 1 });
  });

  it('fails the remaining documents with the reason when the budget is exhausted', async () => {
    const client = await bench.addOrganization();
    await upload(client, 3);
    await client.post('./prompts', { name: 'Total', content: 'Take the total.' });
    const { body: prompts } = await client.get<{ prompts: { prompt_id: string }[] }>('./prompts');
    bench.script({ text: '{"total": 5}' }, { text: '{"total": 5}' }, { text: '{"total": 5}' });
    await client.put('./budget', { spu_limit: 0, period: 'total' });
    const { body: schedule } = await client.post<Schedule>('./schedules', {
      name: 'Daily',
      every: '1d',
      action: 'run_extraction',
      prompt_id: prompts.prompts[0]!.prompt_id,
    });
    const { body: run } = await client.post<Run>(`./schedules/${schedule.id}/run`);
    const done = await waitForEnd(client, run.id);
    expect(done).toMatchObject({ state: 'completed', succeeded: 0, failed: 3, spu_used: 0 });
    expect(new Set(done.failures.map(({ code }) => code))).toEqual(new Set(['budget_exhausted']));
  });
});

async function readEvents(client: TestClient, id: string): Promise<RunEvent[]> {
  const response = await fetch(`${bench.address}/v0/orgs/${client.organizationId}/runs/${id}/events`, {
    headers: { authorization: `Bearer ${client.accessToken}`, accept: 'text/event-stream' },
  });
  const text = await response.text();
  return [...text.matchAll(/^data: (.+)$/gmu)].map(([, data]) => {
    const event: RunEvent = JSON.parse(data ?? '');
    return event;
  });
}
