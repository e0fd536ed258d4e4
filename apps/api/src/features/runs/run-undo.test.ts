import { scriptedLlm } from '@docwright/agent-core/testing';
import type { LlmClient } from '@docwright/agent-core';
import type { Document, Extraction, Prompt, Run, RunEvent, Schedule, Tag } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { extractionModel } from '../extractions/records/extraction-model.ts';
import { turnUndoModel } from '../undo/turn-undo-model.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 60_000 });

let harness: TestApp;
let total = 0;
const llm: LlmClient = {
  async *stream(request) {
    const isExtraction = request.tools === undefined || request.tools.length === 0;
    const isFirst = !request.messages.some(({ role }) => role === 'tool');
    const name = `tag ${(total += 1)}`;
    const step = isExtraction
      ? { text: JSON.stringify({ total: `${total}` }) }
      : isFirst
        ? {
            calls: [
              { name: 'create_tag', args: { name } },
              { name: 'update_document', args: { set_metadata: { name } } },
            ],
          }
        : { text: 'Done.' };
    yield* scriptedLlm([step]).stream(request);
  },
};
beforeAll(async () => {
  harness = await startTestApp({ llm });
  await startJobs(harness.services);
});
afterAll(async () => harness.stop());

async function addDocuments(client: TestClient, count: number): Promise<string[]> {
  const content = Buffer.from('Total: 5').toString('base64');
  const ids: string[] = [];
  for (let at = 0; at < count; at += 20) {
    const batch = Array.from({ length: Math.min(20, count - at) }, (_, index) => ({
      name: `${at + index}.txt`,
      content,
    }));
    const { body } = await client.post<{ documents: Document[] }>('./documents', { documents: batch });
    ids.push(...body.documents.map(({ id }) => id));
  }
  for (const id of ids) {
    await expect
      .poll(async () => (await client.get<Document>(`./documents/${id}`)).body.state, { timeout: 120_000 })
      .toBe('ocr_completed');
  }
  return ids;
}

async function poll(client: TestClient, id: string, isDone: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const { body } = await client.get<Run>(`./runs/${id}`);
    if (isDone(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const waitForEnd = (client: TestClient, id: string) => poll(client, id, ({ ended_at }) => ended_at !== null);
const waitForUndo = (client: TestClient, id: string) => poll(client, id, ({ undo }) => undo?.ended_at != null);

/** Everything that a run can write, without versions. */
async function snapshot(client: TestClient, ids: string[]): Promise<unknown> {
  const tags = (await client.get<{ tags: Tag[] }>('./tags?limit=100')).body.tags;
  const all = await Promise.all(
    ids.map(async (id) => {
      // Releases stay withdrawn, and both these and what is to check are derived later.
      const { body } = await client.get<Document>(`./documents/${id}`);
      const { releases: _releases, results: _results, ...document } = body;
      const listed = (await client.get<{ extractions: Extraction[] }>(`./documents/${id}/extractions`)).body;
      return {
        document,
        extractions: listed.extractions.map(({ release: _release, ...each }) => ({ ...each, version: 0 })),
      };
    }),
  );
  return { tags, all };
}

it('undoes a chat run, each document as a whole, and lists the records that others have changed', async () => {
  const client = await harness.addOrganization();
  const ids = await addDocuments(client, 3);
  const before = await snapshot(client, ids);
  const body = { document_ids: ids, message: 'Tag it', auto_approved_tools: ['create_tag', 'update_document'] };
  const { id } = (await client.post<Run>('./runs', body)).body;
  expect((await waitForEnd(client, id)).succeeded).toBe(3);
  const { tags } = (await client.get<{ tags: Tag[] }>('./tags')).body;
  expect(tags).toHaveLength(3);
  const [first, ...others] = ids;
  const mine = { metadata: { name: 'mine' } };
  await client.patch(`./documents/${first}`, mine);

  const asked = await client.post<Run>(`./runs/${id}/undo`, {});
  expect([asked.status, asked.body.undo?.state]).toEqual([202, 'running']);
  const incomplete = await waitForUndo(client, id);
  expect(incomplete.undo).toMatchObject({ state: 'incomplete', undone: 2 });
  expect(incomplete.undo?.conflicts).toEqual([
    {
      document_id: first,
      what: expect.stringContaining('has changed since'),
      changed_by: client.userId,
      changed_at: expect.any(String),
    },
  ]);
  // The tag of the document with a conflict still exists.
  expect((await client.get<{ tags: Tag[] }>('./tags')).body.tags).toHaveLength(1);
  expect((await client.get<Document>(`./documents/${others[0]}`)).body.metadata).toEqual({});

  const { entries } = (await client.get<{ entries: { id: string }[] }>('./audit?origin=api')).body;
  await client.post(`./audit/${entries[0]!.id}/undo`, {});
  expect((await client.post<Run>(`./runs/${id}/undo`, {})).status).toBe(202);
  expect((await waitForUndo(client, id)).undo).toMatchObject({ state: 'completed', undone: 3, conflicts: [] });
  expect(await snapshot(client, ids)).toEqual(before);

  const stream = await harness.app.inject({
    url: `/v0/orgs/${client.organizationId}/runs/${id}/events`,
    headers: { authorization: `Bearer ${client.accessToken}` },
  });
  const events = stream.body.match(/(?<=data: ).+/gu)?.map((line) => JSON.parse(line) as RunEvent);
  expect(events?.at(-1)).toMatchObject({ type: 'done', run: { undo: { state: 'completed' } } });
});

it('is for the requester of the run and for admins', async () => {
  const client = await harness.addOrganization();
  const ids = await addDocuments(client, 1);
  const member = await harness.addUser('member', client.organizationId);
  const other = await harness.addUser('member', client.organizationId);
  const { id } = (await member.post<Run>('./runs', { document_ids: ids, message: 'Read it' })).body;
  await waitForEnd(member, id);
  expect((await other.post(`./runs/${id}/undo`, {})).status).toBe(404);
  expect((await client.post(`./runs/${id}/undo`, {})).status).toBe(202);
  expect((await waitForUndo(member, id)).undo).toMatchObject({ state: 'completed', undone: 0 });
});

/** Large form: UNDO_DOCUMENTS=200 UNDO_TIMES=20. */
const count = Number(process.env['UNDO_DOCUMENTS'] ?? 8);
const times = Number(process.env['UNDO_TIMES'] ?? 2);

it(`restores everything, killed at random points over ${count} documents, ${times} times`, async () => {
  const client = await harness.addOrganization();
  const ids = await addDocuments(client, count);
  const prompt = (await client.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
  // Half of the documents have a result already.
  for (const id of ids.slice(0, count / 2)) {
    await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
  }
  const schedule = (
    await client.post<Schedule>('./schedules', {
      name: 's',
      every: '1d',
      action: 'run_extraction',
      prompt_id: prompt.prompt_id,
      filter: { without_result: false },
    })
  ).body;
  const before = await snapshot(client, ids);
  let kills = 0;
  const upTo = (most: number) => 1 + Math.floor(Math.random() * most);
  for (let time = 0; time < times; time += 1) {
    // An early first kill, so that each undo has one.
    let untilKill = upTo(10);
    const { id } = (await client.post<Run>(`./schedules/${schedule.id}/run`, {})).body;
    expect((await waitForEnd(client, id)).succeeded).toBe(count);
    expect(await snapshot(client, ids)).not.toEqual(before);
    const models = [extractionModel(harness.connection), turnUndoModel(harness.connection)];
    const names = ['updateOne', 'deleteOne', 'findOne', 'create'] as const;
    const spies = models.flatMap((model) =>
      names.map((name) => {
        const real = (model[name] as (...args: unknown[]) => unknown).bind(model);
        return vi.spyOn(model, name).mockImplementation(((...args: unknown[]) => {
          untilKill -= 1;
          if (untilKill === 0) {
            kills += 1;
            untilKill = upTo(50);
            throw new Error('killed');
          }
          return real(...args);
        }) as never);
      }),
    );
    await client.post(`./runs/${id}/undo`, {});
    for (let done = false; !done;) {
      await harness.services.runUndo.work(new AbortController().signal).catch(() => undefined);
      // The lease of a dead worker expires.
      await harness.connection.collection('runs').updateMany({ 'undo.state': 'running' }, { $unset: { lease: 1 } });
      const run = await harness.connection.collection('runs').findOne({ 'undo.state': 'running' });
      done = run === null;
    }
    for (const spy of spies) spy.mockRestore();
    expect((await waitForUndo(client, id)).undo).toMatchObject({ state: 'completed', undone: count, conflicts: [] });
    expect(await snapshot(client, ids)).toEqual(before);
  }
  expect(kills).toBeGreaterThanOrEqual(times);
});

it('completes if the extraction of a document was undone separately before', async () => {
  const client = await harness.addOrganization();
  const ids = await addDocuments(client, 2);
  const prompt = (await client.post<Prompt>('./prompts', { name: 'p', content: 'Total?' })).body;
  const body = { document_ids: ids, action: 'extract', prompt_id: prompt.prompt_id };
  const { run_id } = (await client.post<{ run_id: string }>('./documents/bulk', body)).body;
  await waitForEnd(client, run_id);
  const extracted = async () =>
    (await client.get<{ extractions: Extraction[] }>(`./documents/${ids[0]}/extractions`)).body.extractions;
  expect(await extracted()).toHaveLength(1);
  const route = `./audit?document_id=${ids[0]}&limit=100`;
  const { entries } = (await client.get<{ entries: { id: string; tool: string; kind: string }[] }>(route)).body;
  const entry = entries.find(({ tool, kind }) => tool === 'run_extraction' && kind === 'executed');
  expect((await client.post(`./audit/${entry!.id}/undo`, {})).status).toBe(200);
  expect(await extracted()).toEqual([]);
  await client.post<Run>(`./runs/${run_id}/undo`, {});
  expect((await waitForUndo(client, run_id)).undo).toMatchObject({ state: 'completed', undone: 2, conflicts: [] });
  expect((await client.post(`./audit/${entry!.id}/undo`, {})).status).toBe(200);
});
