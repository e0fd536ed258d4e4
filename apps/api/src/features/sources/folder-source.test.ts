import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AuditEntry, Document, Source, SourceSync, Tag } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { sourceModel } from './source-model.ts';

let app: TestApp;
let client: TestClient;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'inlet-'));
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
  await rm(root, { recursive: true });
});

let folder: string;
beforeEach(async () => {
  client = await app.addOrganization();
  folder = path.join(root, client.organizationId);
  await mkdir(folder);
  app.services.settings.inletDirs.set(client.organizationId, [folder]);
  await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate: 'mark' });
});

const header = () => ({ headers: { 'x-org-id': client.organizationId } });
async function makeSource(config: object = {}, more: object = {}) {
  const payload = {
    name: 'Inlet',
    connector: { kind: 'folder', config: { path: folder, settle_seconds: 0, ...config } },
    ...more,
  };
  return await client.request<Source>('POST', '/api/v2/sources', { payload, ...header() });
}
async function sync(source: Source): Promise<SourceSync> {
  await client.request('POST', `/api/v2/sources/${source.id}/sync`, header());
  await app.services.syncSources(new AbortController().signal);
  return (await client.request<SourceSync>('GET', `/api/v2/sources/${source.id}/sync`, header())).body;
}
const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const documents = async (query = '') =>
  (await client.get<{ documents: Document[] }>(`./documents?sort=document_name${query}`)).body.documents;

it('takes each file once, whatever happens between two syncs', async () => {
  await mkdir(path.join(folder, 'sub'));
  await write('a.txt', 'First');
  await write('sub/b.txt', 'Second');
  await write('.hidden.txt', 'Hidden');
  await write('c.txt.part', 'Not yet whole');
  await write('empty.txt', '');
  const { body: source } = await makeSource();
  const first = await sync(source);
  expect(first).toMatchObject({ state: 'waiting', error: null, counts: { seen: 3, taken: 2, failed: 1 } });
  expect(first.errors).toMatchObject([{ file: 'empty.txt', code: 'empty_file' }]);
  expect((await documents()).map(({ document_name }) => document_name)).toEqual(['a.txt', 'b.txt']);
  expect((await sync(source)).counts).toMatchObject({ taken: 0, unchanged: 2 });
  // A sync that died after the insert and before the note: the next one finds the document.
  await app.connection.collection('source_files').deleteMany({});
  await sourceModel(app.connection).updateMany({}, { $unset: { seen_batches: 1 } });
  expect((await sync(source)).counts).toMatchObject({ taken: 0 });
  expect(await documents()).toHaveLength(2);
  expect((await client.request<Source>('GET', `/api/v2/sources/${source.id}`, header())).body.document_count).toBe(2);
});

it('makes no more tags of subfolders than an organization can have, and takes their files once there is room', async () => {
  await mkdir(path.join(folder, 'One more'));
  await write('One more/a.txt', 'First');
  await write('b.txt', 'Second');
  const organization_id = new mongoose.Types.ObjectId(client.organizationId);
  const tags = Array.from({ length: 10_000 }, (_, at) => ({ organization_id, name: `t${at}`, name_key: `t${at}` }));
  await app.connection.collection('tags').insertMany(tags.map((tag) => ({ ...tag, deleted_at: null })));
  const { body: source } = await makeSource({ subfolder_tags: true });
  const full = await sync(source);
  expect(full).toMatchObject({ counts: { taken: 1, failed: 1 }, errors: [{ code: 'too_many_tags' }] });
  expect((await client.post('./tags', { name: 'One more' })).error?.code).toBe('too_many_tags');
  await app.connection.collection('tags').deleteOne({ organization_id, name: 't5' });
  expect((await sync(source)).counts).toMatchObject({ taken: 1, failed: 0 });
});

it('uploads in the name of the organization and the source, not of the member who made it', async () => {
  await mkdir(path.join(folder, 'Invoices'));
  await write('Invoices/a.txt', 'First');
  const { body: source } = await makeSource({ subfolder_tags: true });
  expect((await sync(source)).counts).toMatchObject({ taken: 1 });
  const { body } = await client.get<{ entries: AuditEntry[] }>('./audit');
  const written = body.entries.filter(({ tool }) => tool === 'upload_document' || tool === 'create_tag');
  expect(written.map(({ tool }) => tool).toSorted()).toEqual(['create_tag', 'upload_document']);
  for (const { actor, origin } of written) {
    expect([actor, origin]).toEqual([client.organizationId, { kind: 'arrival', source_id: source.id }]);
  }
  expect((await documents())[0]?.uploaded_by).toBe(client.organizationId);
  const upload = written.find(({ tool }) => tool === 'upload_document');
  expect((await client.post(`./audit/${upload?.id}/undo`)).status).toBe(200);
  expect(await documents()).toEqual([]);
});

it('names tags after subfolders without what is not shown in a name', async () => {
  await mkdir(path.join(folder, 'Over\u202edue\nnow'));
  await write('Over\u202edue\nnow/a.txt', 'First');
  await mkdir(path.join(folder, '\u200b'));
  await write('\u200b/b.txt', 'Second');
  const { body: source } = await makeSource({ subfolder_tags: true });
  expect((await sync(source)).counts).toMatchObject({ taken: 2, failed: 0 });
  const { body } = await client.get<{ tags: Tag[] }>('./tags');
  expect(body.tags.map(({ name }) => name)).toEqual(['Overdue now']);
});

it('a changed file is a new document that replaces the old one, and a file that is gone is marked', async () => {
  await write('a.txt', 'Old');
  await write('b.txt', 'Gone soon');
  const { body: source } = await makeSource();
  await sync(source);
  const [old, gone] = await documents();
  await write('a.txt', 'New and longer');
  await rm(path.join(folder, 'b.txt'));
  expect((await sync(source)).counts).toMatchObject({ taken: 1, missing: 1 });
  const [newer, missing, ...rest] = await documents();
  expect(rest).toEqual([]);
  expect(newer).toMatchObject({ replaces: old!.id });
  expect(missing).toMatchObject({ id: gone!.id, missing_since: expect.any(String) });
  expect((await documents('&missing=true')).map(({ id }) => id)).toEqual([gone!.id]);
  expect((await documents('&include_replaced=true')).find(({ id }) => id === old!.id)?.replaced_by).toBe(newer!.id);
  await write('b.txt', 'Gone soon');
  await write('a.txt', 'Old');
  await sync(source);
  // The former content is the former document again.
  expect((await documents()).map(({ id }) => id)).toEqual([old!.id, gone!.id]);
  expect((await documents()).find(({ id }) => id === gone!.id)?.missing_since).toBeUndefined();
});

it('a file that cannot be looked up for a while is not gone', async () => {
  const [sub, away] = [path.join(folder, 'sub'), path.join(root, `away-${client.organizationId}`)];
  await mkdir(sub);
  await write('a.txt', 'Beside it');
  await write('sub/b.txt', 'Below');
  const { body: source } = await makeSource();
  await sync(source);
  await rename(sub, away);
  // Each look at what is below fails, with another error than that it is not there.
  await symlink('sub', sub);
  expect((await sync(source)).counts).toMatchObject({ seen: 1, missing: 0 });
  expect((await documents()).map(({ missing_since }) => missing_since)).toEqual([undefined, undefined]);
  await rm(sub);
  await rename(away, sub);
  expect((await sync(source)).counts).toMatchObject({ seen: 2, taken: 0, missing: 0 });
});

it('lists the former version of a file while the newer one is in the trash', async () => {
  const { body: source } = await makeSource();
  for (const text of ['First', 'Second']) {
    await write('a.txt', text);
    await sync(source);
  }
  const [second] = await documents();
  const [first] = (await documents('&include_replaced=true')).filter(({ id }) => id !== second!.id);
  const listed = async () => (await documents()).map(({ id }) => id);
  await client.delete(`./documents/${second!.id}`);
  expect(await listed()).toEqual([first!.id]);
  await client.post(`./documents/${second!.id}/restore`);
  expect(await listed()).toEqual([second!.id]);
  await client.delete(`./documents/${second!.id}`);
  await write('a.txt', 'The third one');
  await sync(source);
  const third = await listed();
  expect(third).not.toContain(first!.id);
  expect(third).toHaveLength(1);
  // Nothing changes with versions that are not the newest.
  await client.post(`./documents/${second!.id}/restore`);
  expect(await listed()).toEqual(third);
  await client.delete(`./documents/${second!.id}`);
  expect(await listed()).toEqual(third);
  await client.delete(`./documents/${third[0]}`);
  expect(await listed()).toEqual([first!.id]);
  // The file has its first content again, and that goes to the trash.
  await client.post(`./documents/${third[0]}/restore`);
  await write('a.txt', 'First');
  await sync(source);
  expect(await listed()).toEqual([first!.id]);
  await client.delete(`./documents/${first!.id}`);
  expect(await listed()).toEqual(third);
});

it('a file of the same bytes at another place is a duplicate, and one that is written is left for later', async () => {
  await write('a.txt', 'Same');
  await write('b.txt', 'Same');
  const past = new Date(Date.now() - 3_600_000);
  await utimes(path.join(folder, 'a.txt'), past, past);
  const { body: source } = await makeSource({ settle_seconds: 3_000 });
  expect((await sync(source)).counts.seen).toBe(0);
  const { body: quick } = await makeSource();
  await sync(quick);
  const found = await documents();
  expect(found.filter(({ duplicate_of }) => duplicate_of !== undefined)).toHaveLength(1);
});

it('never leaves the directory of the operator', async () => {
  const outside = path.join(root, `outside-${client.organizationId}`);
  await mkdir(outside);
  await writeFile(path.join(outside, 'secret.txt'), 'Secret');
  await symlink(outside, path.join(folder, 'link'));
  await symlink(path.join(outside, 'secret.txt'), path.join(folder, 'secret.txt'));
  const { body: source } = await makeSource();
  expect((await sync(source)).counts.seen).toBe(0);
  const refused = async (at: string) => (await makeSource({ path: at })).error?.code;
  expect(await refused(outside)).toBe('folder_not_allowed');
  expect(await refused(path.join(folder, '..', path.basename(outside)))).toBe('folder_not_allowed');
  expect(await refused(path.join(folder, 'link'))).toBe('folder_not_allowed');
  expect(await refused(path.join(folder, 'nothing'))).toBe('folder_missing');
  const member = await app.addUser('member', client.organizationId);
  const payload = { name: 'x', connector: { kind: 'folder', config: { path: folder } } };
  expect((await member.request('POST', '/api/v2/sources', { payload, ...header() })).error?.code).toBe(
    'admin_required',
  );
});

it('fails at growing pauses while the folder is gone, and recovers', async () => {
  await write('a.txt', 'Back');
  const { body: source } = await makeSource({}, { every: '1m' });
  await rename(folder, `${folder}-away`);
  for (let count = 0; count < 3; count += 1) await sync(source);
  const failing = await client.request<SourceSync>('GET', `/api/v2/sources/${source.id}/sync`, header());
  expect(failing.body).toMatchObject({ state: 'failing', error: { code: 'folder_missing' } });
  const record = await sourceModel(app.connection).findById(source.id).lean();
  expect(record!.next_sync_at!.getTime() - Date.now()).toBeGreaterThan(3 * 60_000);
  await rename(`${folder}-away`, folder);
  expect(await sync(source)).toMatchObject({ state: 'waiting', error: null, counts: { taken: 1 } });
});

it('two syncs of one source at once take each file once', async () => {
  for (let count = 0; count < 20; count += 1) await write(`${count}.txt`, `Text ${count}`);
  const { body: source } = await makeSource();
  const { signal } = new AbortController();
  await Promise.all([app.services.syncSources(signal), app.services.syncSources(signal)]);
  expect((await sync(source)).counts).toMatchObject({ taken: 0, unchanged: 20 });
  expect(await documents('&limit=100')).toHaveLength(20);
});
