import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventType, type EventFeed, type EventType, type Prompt, type Run, type Source } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  extracted,
  proposing,
  responseFormat,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../testing/auto-create-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { webhookModel } from '../webhooks/webhook-model.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: AutoCreateTestBench;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'events-'));
  bench = await startAutoCreateTestBench();
});
afterAll(async () => {
  await bench.stop();
  await rm(root, { recursive: true });
});

const upload = async (client: TestClient, text = 'Invoice Total: 5', autoCreate?: boolean) => {
  const { id } = await bench.upload(client, { text, ...(autoCreate !== undefined && { autoCreate }) });
  return (await bench.waitForEnd(client, id)).id;
};
async function createPrompt(client: TestClient, format: object = responseFormat): Promise<Prompt> {
  const { body } = await client.post<{ schema_id: string }>('./schemas', { name: 's', response_format: format });
  return (await client.post<Prompt>('./prompts', { name: 'p', content: 'Read.', schema_id: body.schema_id })).body;
}
async function extract(client: TestClient, step = extracted, format?: object, text?: string) {
  const { prompt_revid } = await createPrompt(client, format);
  const id = await upload(client, text);
  bench.script(step, step, step);
  const { status } = await client.post(`./documents/${id}/extractions`, { prompt_revid });
  return { url: `./documents/${id}/extractions/${prompt_revid}`, status };
}
const route = async (client: TestClient, when: object) => {
  // As text: an object with `then` looks like a promise.
  const payload = `{"name":"r","when":${JSON.stringify(when)},"then":{"metadata":{"kind":"note"}}}`;
  await client.request('POST', './routes', { payload, headers: { 'content-type': 'application/json' } });
  await upload(client);
};
const linesFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'items',
    schema: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
    },
  },
};
const rows = Array.from({ length: 12 }, (_, at) => `Item-${at + 10}     ${at + 20} pieces     ${at + 30}.50`);

/** What makes each event happen. */
const causes: Record<EventType, (client: TestClient) => Promise<unknown>> = {
  'document.created': upload,
  'document.ready': upload,
  async 'document.failed'(client) {
    const content = Buffer.from('%PDF-1.4 and nothing else').toString('base64');
    const documents = [{ name: 'broken.pdf', content }];
    const { body } = await client.post<{ documents: { id: string }[] }>('./documents', { documents });
    await bench.waitForEnd(client, body.documents[0]!.id);
  },
  'document.routed': (client) => route(client, { name_matches: 'note' }),
  'document.unsure'(client) {
    bench.script({ text: '{"route":"route_1"}' });
    return route(client, { described_as: 'A note' });
  },
  'extraction.completed': (client) => extract(client),
  async 'extraction.failed'(client) {
    const { prompt_id } = await createPrompt(client);
    const document_ids = [await upload(client)];
    bench.script({ text: 'no idea' }, { text: 'no idea' }, { text: 'no idea' });
    await client.post('./documents/bulk', { document_ids, action: 'extract', prompt_id });
  },
  async 'extraction.incomplete'(client) {
    const read = { items: rows.slice(0, 9).map((row) => ({ name: row.slice(0, 7) })) };
    const text = ['Name        Quantity      Price', ...rows].join('\n');
    await extract(client, { text: JSON.stringify(read) }, linesFormat, text);
  },
  async 'result.released'(client) {
    const { url } = await extract(client);
    await client.post(`${url}/release`, { version: 1 });
  },
  async 'result.withdrawn'(client) {
    const { url } = await extract(client);
    await client.post(`${url}/release`, { version: 1 });
    await client.patch(url, { path: 'total', value: 7, base_version: 1 });
  },
  async 'proposal.ready'(client) {
    bench.script(...proposing);
    await upload(client, undefined, true);
  },
  async 'approval.waiting'(client) {
    const id = await upload(client);
    bench.script({ calls: [{ name: 'create_tag', args: { name: 'Paid' } }] });
    await client.post(`./documents/${id}/chat`, { messages: [{ role: 'user', content: 'Make a tag.' }] });
  },
  async 'run.completed'(client) {
    const document_ids = [await upload(client)];
    bench.script({ text: 'Done.' });
    const { body } = await client.post<Run>('./runs', { document_ids, message: 'Look at it.' });
    const ended = async () => (await client.get<Run>(`./runs/${body.id}`)).body.ended_at;
    await expect.poll(ended, { timeout: 20_000 }).not.toBeNull();
  },
  async 'source.failing'(client) {
    const folder = path.join(root, client.organizationId);
    await mkdir(folder);
    bench.services.settings.inletDirs.set(client.organizationId, [folder]);
    const headers = { 'x-org-id': client.organizationId };
    const payload = { name: 'Inlet', connector: { kind: 'folder', config: { path: folder, settle_seconds: 0 } } };
    const { body } = await client.request<Source>('POST', '/api/v2/sources', { payload, headers });
    await rm(folder, { recursive: true });
    for (let time = 0; time < 3; time += 1) {
      await client.request('POST', `/api/v2/sources/${body.id}/sync`, { headers });
      await bench.services.syncSources(new AbortController().signal);
    }
  },
  async 'webhook.disabled'(client) {
    const { body } = await client.post<{ id: string }>('./webhooks', { url: 'https://example.com/hook' });
    const webhook = await webhookModel(bench.connection).findById(body.id).lean();
    await bench.services.webhookQueue.disable(webhook!, 'gone');
  },
  async 'budget.exhausted'(client) {
    await client.put('./budget', { spu_limit: 0, period: 'month' });
    // Refused twice, told once.
    for (let time = 0; time < 2; time += 1) expect((await extract(client)).status).toBeGreaterThanOrEqual(400);
  },
};

/** In one step for all types: a new type without a cause does not compile, and one that nothing emits fails. */
it.each(eventType.options)('%s is in the feed, once, and after a repeated relay too', async (type) => {
  const client = await bench.addOrganization();
  await causes[type](client);
  const { signal } = new AbortController();
  const found = async () => {
    await bench.services.releaseUpdater.work(signal);
    await bench.services.announcements.work(signal);
    await bench.services.relayOutboxes(signal);
    const { events } = (await client.get<EventFeed>(`./events?types=${type}&limit=100`)).body;
    return events;
  };
  await expect.poll(async () => (await found()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  const events = await found();
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const expected = { 'document.created': 1, 'budget.exhausted': 1, 'approval.waiting': 1, 'source.failing': 1 };
  if (type in expected) expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ type, organization_id: client.organizationId });
  expect(Object.keys(events[0]!.data).length).toBeGreaterThan(0);
  if (!type.startsWith('extraction.')) return;
  expect(events[0]!.data).toMatchObject({ prompt_id: expect.any(String), prompt_revid: expect.any(String) });
  const { prompt_id } = events[0]!.data as { prompt_id: string };
  const ofPrompt = await client.get<EventFeed>(`./events?types=${type}&prompt_id=${prompt_id}`);
  expect(ofPrompt.body.events.map(({ id }) => id)).toContain(events[0]!.id);
});
