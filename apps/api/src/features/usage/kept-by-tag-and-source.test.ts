import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LlmRequest } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Document, Prompt, Source, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

const word = 'Zaubernuss';
const inlet = mkdtempSync(path.join(tmpdir(), 'inlet-'));
let app: TestApp;
let client: TestClient;
let tag: Tag;
const requests: LlmRequest[] = [];
beforeAll(async () => {
  app = await startTestApp({
    settings: { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'no-model' },
    llm: {
      async *stream(request) {
        requests.push(request);
        yield* scriptedLlm([{ text: '{}' }]).stream(request);
      },
    },
  });
  await startJobs(app.services);
});
afterAll(async () => {
  await app.stop();
  rmSync(inlet, { recursive: true });
});
beforeEach(async () => {
  client = await app.addOrganization();
  const made = await client.post<Tag>('./tags', { name: 'secret', never_to_model: true });
  expect([made.status, made.body.never_to_model]).toEqual([201, true]);
  tag = made.body;
  requests.length = 0;
});

async function upload(more: object = {}, text = `The word is ${word}`): Promise<Document> {
  const documents = [{ name: `${word}.txt`, content: Buffer.from(text).toString('base64'), ...more }];
  return (await client.post<{ documents: Document[] }>('./documents', { documents })).body.documents[0]!;
}
const get = async (id: string) => (await client.get<Document>(`./documents/${id}`)).body;
async function read(id: string): Promise<Document> {
  await expect.poll(async () => (await get(id)).state, { timeout: 15_000 }).toBe('ocr_completed');
  return await get(id);
}
const tagged = () => ({ tag_ids: [tag.tag_id] });

it('a document that comes with the tag is kept from the first moment on, also from what starts by itself', async () => {
  const on_arrival = { run_prompts: true, auto_create: true };
  await client.put(`./tags/${tag.tag_id}`, { on_arrival });
  await client.post<Prompt>('./prompts', { name: 'p', content: 'Read.', tag_ids: [tag.tag_id] });
  const when = { described_as: 'A word' };
  await client.post('./routes', { name: 'Words', when, then: {} });
  const document = await upload({ ...tagged(), auto_create: true });
  expect(document.never_to_model).toBe(true);
  await read(document.id);
  await app.services.arrivals.start(new AbortController().signal);
  await expect.poll(async () => (await get(document.id)).routing?.state).toBe('unsure');
  expect(JSON.stringify(requests)).not.toContain(word);
});

it('a document that gets the tag later is kept: by a user, by a bulk action, and by the tag itself', async () => {
  const { body: open } = await client.post<Tag>('./tags', { name: 'open' });
  const [first, second, third] = await Promise.all([
    upload({}, 'one'),
    upload({}, 'two'),
    upload({ tag_ids: [open.tag_id] }, 'three'),
  ]);
  expect([first, second, third].map(({ never_to_model }) => never_to_model)).toEqual([false, false, false]);
  const member = await app.addUser('member', client.organizationId);
  // A member cannot give the tag without what it means.
  const body = { add_tag_ids: [tag.tag_id], never_to_model: false };
  expect((await member.patch<Document>(`./documents/${first.id}`, body)).body.never_to_model).toBe(true);
  const bulk = await client.post('./documents/bulk', { action: 'tag', document_ids: [second.id], ...tagged() });
  expect(bulk.status).toBeLessThan(300);
  await expect.poll(async () => (await get(second.id)).tag_ids, { timeout: 10_000 }).toEqual([tag.tag_id]);
  expect((await get(second.id)).never_to_model).toBe(true);
  expect((await member.put(`./tags/${open.tag_id}`, { never_to_model: true })).status).toBe(200);
  expect((await get(third.id)).never_to_model).toBe(true);
});

it('an admin clears what a tag has set, on the document and on the tag; a member does neither', async () => {
  const { id } = await upload(tagged());
  const member = await app.addUser('member', client.organizationId);
  const cleared = { never_to_model: false };
  expect((await member.patch(`./documents/${id}`, cleared)).error?.code).toBe('admin_required');
  expect((await member.put(`./tags/${tag.tag_id}`, cleared)).error?.code).toBe('admin_required');
  expect((await client.patch<Document>(`./documents/${id}`, cleared)).body.never_to_model).toBe(false);
  // A tag that the document has already says nothing new.
  expect((await client.patch<Document>(`./documents/${id}`, tagged())).body.never_to_model).toBe(false);
  expect((await client.put<Tag>(`./tags/${tag.tag_id}`, cleared)).body.never_to_model).toBeUndefined();
  expect((await upload(tagged(), 'another')).never_to_model).toBe(false);
});

it('a route that gives the tag keeps the document from the model that would judge the next route', async () => {
  await client.post('./routes', { name: 'Secret', when: { text_contains: [word] }, then: tagged(), stop: false });
  await client.post('./routes', { name: 'Words', when: { described_as: 'A word' }, then: {} });
  const { id } = await upload();
  await read(id);
  await expect.poll(async () => (await get(id)).tag_ids).toEqual([tag.tag_id]);
  expect((await get(id)).never_to_model).toBe(true);
  expect(requests).toEqual([]);
});

it('a source keeps what it brings; a set of documents cannot', async () => {
  (app.services.settings.inletDirs as Map<string, string[]>).set(client.organizationId, [inlet]);
  writeFileSync(path.join(inlet, `${word}.txt`), `The word is ${word}`);
  const request = (method: 'POST' | 'PATCH', route: string, payload: object) =>
    client.request<Source>(method, `/api/v2/sources${route}`, {
      headers: { 'x-org-id': client.organizationId },
      payload,
    });
  const set = await request('POST', '', { name: 'Set', never_to_model: true });
  expect([set.status, set.error?.code]).toEqual([400, 'source_not_syncable']);
  const connector = { kind: 'folder', config: { path: inlet, settle_seconds: 0 } };
  const { body: source } = await request('POST', '', {
    name: 'In',
    connector,
    never_to_model: true,
    auto_create: true,
  });
  expect(source.never_to_model).toBe(true);
  await app.services.syncSources(new AbortController().signal);
  const { body } = await client.get<{ documents: Document[] }>('./documents');
  expect(body.documents).toMatchObject([{ document_name: `${word}.txt`, never_to_model: true }]);
  await read(body.documents[0]!.id);
  expect(requests).toEqual([]);
  expect((await request('PATCH', `/${source.id}`, { never_to_model: false })).body.never_to_model).toBe(false);
});

it('the same bytes are kept under any name: those that come later, and those that were here already', async () => {
  await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate: 'mark' });
  const kept = await upload(tagged(), 'the very same');
  const later = await upload({ name: 'copy.txt' }, 'the very same');
  expect(later).toMatchObject({ duplicate_of: kept.id, never_to_model: true });
  const open = await upload({ name: 'open.txt' }, 'shared by two');
  const copy = await upload({ name: 'copy.txt' }, 'shared by two');
  expect(copy).toMatchObject({ duplicate_of: open.id, never_to_model: false });
  await client.patch(`./documents/${open.id}`, { never_to_model: true });
  expect((await get(copy.id)).never_to_model).toBe(true);
  // Also once it is a document of its own.
  const own = await client.patch<Document>(`./documents/${later.id}`, { duplicate_of: null });
  expect([own.body.duplicate_of, own.body.never_to_model]).toEqual([undefined, true]);
});
