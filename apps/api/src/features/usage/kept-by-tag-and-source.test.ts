import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LlmRequest } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Document, Prompt, Source, Tag } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

const word = 'Zaubernuss';
const inlets = mkdtempSync(path.join(tmpdir(), 'inlets-'));
let inlet: string;
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
  rmSync(inlets, { recursive: true });
});
beforeEach(async () => {
  client = await app.addOrganization();
  inlet = mkdtempSync(path.join(inlets, 'in-'));
  app.services.settings.inletDirs.set(client.organizationId, [inlet]);
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
  await expect.poll(async () => (await get(id)).state, { timeout: 15_000 }).toMatch(/^(?:ocr_completed|llm_failed)$/);
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

const request = (method: 'POST' | 'PATCH', route: string, payload: object) =>
  client.request<Source>(method, `/api/v2/sources${route}`, {
    headers: { 'x-org-id': client.organizationId },
    payload,
  });
const inbox = () => ({ name: 'In', connector: { kind: 'folder', config: { path: inlet, settle_seconds: 0 } } });
/** Syncs until all these files have been seen. */
async function sync({ id }: Source, files: Record<string, string>): Promise<Document[]> {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(inlet, name), text);
  const source_id = new mongoose.Types.ObjectId(id);
  const seen = () => app.connection.collection('source_files').countDocuments({ source_id });
  await request('POST', `/${id}/sync`, {});
  await expect.poll(seen, { timeout: 10_000 }).toBe(readdirSync(inlet).length);
  return (await client.get<{ documents: Document[] }>('./documents?sort=document_name')).body.documents;
}

it('a source keeps what it brings; a set of documents cannot', async () => {
  const set = await request('POST', '', { name: 'Set', never_to_model: true });
  expect([set.status, set.error?.code]).toEqual([400, 'source_not_syncable']);
  const { body: source } = await request('POST', '', { ...inbox(), never_to_model: true, auto_create: true });
  expect(source.never_to_model).toBe(true);
  const found = await sync(source, { [`${word}.txt`]: `The word is ${word}` });
  expect(found).toMatchObject([{ document_name: `${word}.txt`, never_to_model: true }]);
  await read(found[0]!.id);
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

const chat = (id: string) =>
  client.post(`./documents/${id}/chat`, { messages: [{ role: 'user', content: 'Read it' }] });

it('a tag that keeps documents from models is asked at each call, also about a document that does not know it yet', async () => {
  const { body: open } = await client.post<Tag>('./tags', { name: 'open' });
  const { id } = await upload({ tag_ids: [open.tag_id] });
  await read(id);
  // As if the tag had been changed between the look at the tags of the upload and its insert.
  const tags = app.connection.collection('tags');
  await tags.updateOne({ _id: new mongoose.Types.ObjectId(open.tag_id) }, { $set: { never_to_model: true } });
  expect((await get(id)).never_to_model).toBe(false);
  expect((await chat(id)).error?.code).toBe('never_to_model');
  expect(requests).toEqual([]);
  // From then on the document is left out, like any other that is kept.
  expect((await get(id)).never_to_model).toBe(true);
  await client.patch(`./documents/${id}`, { never_to_model: false });
  expect((await chat(id)).status).toBe(200);
});

it('a document is kept by a tag that changes while the document is stored, or while it gets the tag', async () => {
  const { body: open } = await client.post<Tag>('./tags', { name: 'open' });
  const keep = (never_to_model: boolean) => client.put(`./tags/${open.tag_id}`, { never_to_model });
  const model = app.connection.models['Document']!;
  for (const [at, work] of [
    ['insertMany', async () => upload({ tag_ids: [open.tag_id] }, 'stored')],
    [
      'findOneAndUpdate',
      async () => {
        const { id } = await upload({}, 'tagged');
        return (await client.patch<Document>(`./documents/${id}`, { tag_ids: [open.tag_id] })).body;
      },
    ],
  ] as const) {
    await keep(false);
    const original = model[at].bind(model) as (...args: unknown[]) => unknown;
    let isKept: Promise<unknown> | undefined;
    const spy = vi.spyOn(model, at).mockImplementation(((...args: unknown[]) => {
      if (at === 'findOneAndUpdate' && !JSON.stringify(args).includes(open.tag_id)) return original(...args);
      isKept ??= keep(true);
      const after = async () => (await isKept, await original(...args));
      return Object.assign(after(), { lean: after });
    }) as never);
    const document = await work();
    spy.mockRestore();
    expect(isKept, at).toBeDefined();
    expect((await get(document.id)).never_to_model, at).toBe(true);
  }
});

it('a source that keeps documents from models keeps those that it has brought, and those of a sync that runs', async () => {
  const { body: source } = await request('POST', '', inbox());
  const brought = await sync(source, { 'a.txt': 'before', 'b.txt': 'too' });
  expect(brought.map(({ never_to_model }) => never_to_model)).not.toContain(true);
  const model = app.connection.models['Document']!;
  const original = model.insertMany.bind(model) as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(model, 'insertMany').mockImplementationOnce((async (...args: unknown[]) => {
    await request('PATCH', `/${source.id}`, { never_to_model: true });
    return await original(...args);
  }) as never);
  const found = await sync(source, { 'c.txt': 'meanwhile' });
  spy.mockRestore();
  expect(found.map(({ document_name }) => document_name)).toContain('c.txt');
  expect(found.map(({ never_to_model }) => never_to_model)).not.toContain(false);
  // What the source says is asked at each call too.
  const [{ id }] = found as [Document];
  const one = { _id: new mongoose.Types.ObjectId(id) };
  await app.connection.collection('documents').updateOne(one, { $unset: { never_to_model_in: 1 } });
  expect((await chat(id)).error?.code).toBe('never_to_model');
  await client.patch(`./documents/${id}`, { never_to_model: false });
  expect((await chat(id)).status).toBe(200);
});

it.each(['mark', 'refuse'])(
  'bytes that come again to be kept keep the document that has them, with on_duplicate: %s',
  async (on_duplicate) => {
    await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate });
    const open = await upload({}, 'known already');
    const { body: source } = await request('POST', '', { ...inbox(), never_to_model: true });
    await sync(source, { 'again.txt': 'known already' });
    expect((await get(open.id)).never_to_model).toBe(true);
    const other = await upload({}, 'known too');
    if (on_duplicate === 'refuse') return;
    // Also by a tag, and by the mark of the copy alone.
    await upload({ name: 'copy.txt', ...tagged() }, 'known too');
    expect((await get(other.id)).never_to_model).toBe(true);
    const third = await upload({}, 'third');
    const copy = await upload({ name: 'copy of it.txt' }, 'third');
    await client.patch(`./documents/${copy.id}`, { never_to_model: true });
    expect((await get(third.id)).never_to_model).toBe(true);
  },
);
