import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConnectorTest, Document, Source, SourceSync, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { sourceModel } from './source-model.ts';
import { s3Key, startS3Server, type S3Server } from '../../testing/s3/s3-server.ts';

const bucket = 'inbox-1';
let app: TestApp;
let s3: S3Server;
let other: S3Server;
let client: TestClient;
let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sources-'));
  s3 = await startS3Server(bucket);
  other = await startS3Server(bucket);
  const hosts = [s3, other].map(({ url }) => new URL(url).host).join(',');
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: hosts } });
});
afterAll(async () => {
  await app.stop();
  s3.stop();
  other.stop();
  await rm(root, { recursive: true });
});
beforeEach(async () => {
  client = await app.addOrganization();
  folder = path.join(root, client.organizationId);
  await mkdir(folder);
  app.services.settings.inletDirs.set(client.organizationId, [folder]);
  await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate: 'mark' });
  s3.objects.clear();
});

const header = () => ({ headers: { 'x-org-id': client.organizationId } });
const ask = <Body>(method: 'GET' | 'POST' | 'PATCH', route: string, payload?: object, by = client) =>
  by.request<Body>(method, `/api/v2/sources${route}`, { ...(payload && { payload }), ...header() });
const s3Connector = (more: object = {}, secret: string | null = s3Key.secretAccessKey) => ({
  kind: 's3',
  config: { endpoint: s3.url, bucket, path_style: true, access_key_id: s3Key.accessKeyId, ...more },
  ...(secret !== null && { secret }),
});
const folderConnector = (config: object = {}) => ({
  kind: 'folder',
  config: { path: folder, settle_seconds: 0, ...config },
});
const make = async (connector: object, more: object = {}) =>
  await ask<Source>('POST', '', { name: 'Inbox', connector, ...more });
async function sync({ id }: Source): Promise<SourceSync> {
  await ask('POST', `/${id}/sync`);
  await app.services.syncSources(new AbortController().signal);
  return (await ask<SourceSync>('GET', `/${id}/sync`)).body;
}
const documents = async (query = '') =>
  (await client.get<{ documents: Document[] }>(`./documents?sort=document_name&limit=100${query}`)).body.documents;

it('takes the objects of a bucket, new, changed and gone', async () => {
  s3.objects.set('in/a.txt', 'One').set('in/b.txt', 'Two');
  const { body: source } = await make(s3Connector({ prefix: 'in/' }));
  expect((await sync(source)).counts).toMatchObject({ seen: 2, taken: 2, failed: 0 });
  expect((await sync(source)).counts).toMatchObject({ seen: 2, taken: 0, unchanged: 2 });
  const [old] = await documents();
  s3.objects.set('in/a.txt', 'Another');
  s3.objects.delete('in/b.txt');
  expect((await sync(source)).counts).toMatchObject({ taken: 1, missing: 1 });
  expect(await documents()).toMatchObject([{ replaces: old!.id }, { missing_since: expect.any(String) }]);
});

it('a file at another place is no version of the one with its name at the former place', async () => {
  for (const at of ['one', 'two']) await mkdir(path.join(folder, at));
  await writeFile(path.join(folder, 'one', 'a.txt'), 'First');
  await writeFile(path.join(folder, 'two', 'a.txt'), 'Second');
  const { body: source } = await make(folderConnector({ path: path.join(folder, 'one') }));
  expect((await sync(source)).counts).toMatchObject({ taken: 1 });
  const connector = folderConnector({ path: path.join(folder, 'two') });
  // A change that is refused forgets no file.
  const known = () => app.connection.collection('source_files').countDocuments();
  const before = await known();
  const refused = await ask('PATCH', `/${source.id}`, { connector, seen: { name: 'Former' } });
  expect([refused.status, refused.error?.code, await known()]).toEqual([409, 'version_conflict', before]);
  expect((await ask('PATCH', `/${source.id}`, { connector })).status).toBe(200);
  expect((await sync(source)).counts).toMatchObject({ taken: 1, missing: 0 });
  const found = await documents();
  expect(found).toHaveLength(2);
  for (const { replaces, replaced_by, missing_since } of found) {
    expect([replaces, replaced_by, missing_since]).toEqual([undefined, undefined, undefined]);
  }
  // Back at the former place, its file is the same document.
  await ask('PATCH', `/${source.id}`, { connector: folderConnector({ path: path.join(folder, 'one') }) });
  expect((await sync(source)).counts).toMatchObject({ taken: 0 });
  expect(await documents()).toHaveLength(2);
});

it('a file that changes, and changes back, has the release of its documents judged again', async () => {
  const rejudge = vi.spyOn(app.services.rejudging, 'ofDocument');
  const { body: source } = await make(s3Connector());
  const ids: string[] = [];
  for (const text of ['One', 'Two', 'One']) {
    s3.objects.set('a.txt', text);
    await sync(source);
    ids.push((await documents())[0]!.id);
  }
  expect(ids[2]).toBe(ids[0]);
  const judged = rejudge.mock.calls.map(([, id]) => id);
  const both = new Set([ids[0], ids[1]]);
  expect([judged.length, new Set(judged.slice(0, 2)), new Set(judged.slice(2))]).toEqual([4, both, both]);
  rejudge.mockRestore();
});

it('the same bytes in a bucket and in a folder are one document and a duplicate of it', async () => {
  s3.objects.set('a.txt', 'Same');
  await writeFile(path.join(folder, 'b.txt'), 'Same');
  await sync((await make(s3Connector())).body);
  await sync((await make(folderConnector())).body);
  const [first, second] = await documents();
  expect(second!.duplicate_of ?? first!.duplicate_of).toBeDefined();
});

it('stores the secret sealed, shows it masked, and sends it to no other host', async () => {
  const { body: source } = await make(s3Connector());
  const record = JSON.stringify(await sourceModel(app.connection).findById(source.id).lean());
  expect(record).not.toContain(s3Key.secretAccessKey);
  expect(JSON.stringify(source)).not.toContain(s3Key.secretAccessKey);
  const { connector } = source;
  expect(connector).toMatchObject({ secret: '…EKEY' });
  const change = (body: object) => ask<Source>('PATCH', `/${source.id}`, body);
  expect((await change({ connector })).status).toBe(200);
  expect((await change({ connector: s3Connector({ prefix: 'x/' }, null) })).status).toBe(200);
  expect(await sync(source)).toMatchObject({ state: 'waiting', error: null });
  const elsewhere = s3Connector({ endpoint: other.url }, null);
  other.requests.length = 0;
  expect((await change({ connector: elsewhere })).error?.code).toBe('secret_needed');
  expect((await ask('POST', '/test', { connector: elsewhere, source_id: source.id })).error?.code).toBe(
    'secret_needed',
  );
  expect(other.requests).toEqual([]);
  const foreign = await app.addOrganization();
  const payload = { connector: s3Connector({}, null), source_id: source.id };
  const stolen = await foreign.request('POST', '/api/v2/sources/test', {
    payload,
    headers: { 'x-org-id': foreign.organizationId },
  });
  expect(stolen.error?.code).toBe('secret_needed');
});

it('says why a connector cannot be read, and refuses private hosts', async () => {
  const code = async (connector: object) => (await make(connector)).error?.code;
  expect(await code(s3Connector({}, 'wrong'))).toBe('source_refused');
  expect(await code(s3Connector({ bucket: 'none-here' }))).toBe('bucket_missing');
  expect(await code(s3Connector({ access_key_id: undefined }, null))).toBe('source_refused');
  for (const endpoint of ['http://127.0.0.1:3999', 'http://169.254.169.254', 'http://localhost:3000']) {
    expect(await code(s3Connector({ endpoint }))).toBe('source_host_refused');
  }
  const member = await app.addUser('member', client.organizationId);
  const body = { connector: s3Connector() };
  expect((await ask('POST', '/test', body, member)).error?.code).toBe('admin_required');
});

it('shows what a sync would see, without taking it', async () => {
  for (let at = 0; at < 25; at += 1) s3.objects.set(`${at}.txt`, 'x');
  const { body } = await ask<ConnectorTest>('POST', '/test', { connector: s3Connector() });
  expect(body.files).toHaveLength(20);
  expect(body).toMatchObject({ has_more: true, files: [{ name: '0.txt', size_bytes: 1 }, ...body.files.slice(1)] });
  expect(await documents()).toEqual([]);
});

it('is changed, switched off and on', async () => {
  await writeFile(path.join(folder, 'a.txt'), 'x');
  const { body: source } = await make(folderConnector(), { enabled: false });
  expect(source).toMatchObject({ enabled: false, state: 'waiting', last_sync: null });
  await app.services.syncSources(new AbortController().signal);
  expect(await documents()).toEqual([]);
  expect((await ask('POST', `/${source.id}/sync`)).error?.code).toBe('source_not_syncable');
  const tag = (await client.post<Tag>('./tags', { name: 'New' })).body;
  const change = { name: 'Renamed', every: '2h', enabled: true, tag_ids: [tag.tag_id] };
  expect((await ask<Source>('PATCH', `/${source.id}`, change)).body).toMatchObject({ ...change, state: 'waiting' });
  await app.services.syncSources(new AbortController().signal);
  expect(await documents()).toMatchObject([{ tag_ids: [tag.tag_id] }]);
  const { body: set } = await ask<Source>('POST', '', { name: 'All' });
  expect((await ask('PATCH', `/${set.id}`, { name: 'x' })).error?.code).toBe('source_not_syncable');
});

it('tags by subfolders, and moves what became a document; a name that is used again is another document', async () => {
  await mkdir(path.join(folder, 'Invoices'));
  await mkdir(path.join(folder, 'done'));
  await writeFile(path.join(folder, 'Invoices', 'scan.txt'), 'First');
  await writeFile(path.join(folder, 'empty.txt'), '');
  await client.post('./tags', { name: 'invoices' });
  const config = { subfolder_tags: true, afterwards: { do: 'move_to', folder: 'done' } };
  const { body: source } = await make(folderConnector(config));
  expect((await sync(source)).counts).toMatchObject({ taken: 1, failed: 1, missing: 0 });
  expect(await readdir(path.join(folder, 'done', 'Invoices'))).toEqual(['scan.txt']);
  // What is no document stays where a person finds it.
  expect(await readdir(folder)).toContain('empty.txt');
  await writeFile(path.join(folder, 'Invoices', 'scan.txt'), 'Second');
  expect((await sync(source)).counts).toMatchObject({ taken: 1, missing: 0 });
  const found = await documents();
  expect(found).toHaveLength(2);
  const { tags } = (await client.get<{ tags: Tag[] }>('./tags')).body;
  for (const document of found) {
    expect(document.tag_ids).toEqual([tags[0]!.tag_id]);
    expect([document.replaces, document.missing_since]).toEqual([undefined, undefined]);
  }
});

it('a new source is synced at once, and not only when the sweep finds it', async () => {
  const wake = vi.spyOn(app.services.jobs, 'wake');
  await ask('POST', '', { name: 'All' });
  expect(wake).not.toHaveBeenCalled();
  await make(folderConnector());
  expect(wake).toHaveBeenCalledWith('sync-sources');
  wake.mockRestore();
});

it('syncs after a change in the folder, long before its interval', async () => {
  const { body: source } = await make(folderConnector(), { every: '1d' });
  // Also without tags, as clients expect of a connector.
  expect(source.tag_ids).toEqual([]);
  await sync(source);
  await app.services.folderEvents.refresh();
  await writeFile(path.join(folder, 'a.txt'), 'x');
  await vi.waitFor(
    async () => {
      await app.services.syncSources(new AbortController().signal);
      expect(await documents()).toHaveLength(1);
    },
    { timeout: 5_000, interval: 100 },
  );
  app.services.folderEvents.close();
});

it('follows a sync by events', async () => {
  const { body: source } = await make(folderConnector());
  const closed = new AbortController();
  const response = await fetch(`${app.address}/api/v2/sources/${source.id}/sync/events`, {
    headers: {
      authorization: `Bearer ${client.accessToken}`,
      accept: 'text/event-stream',
      'x-org-id': client.organizationId,
    },
    signal: closed.signal,
  });
  await writeFile(path.join(folder, 'a.txt'), 'x');
  await sync(source);
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"taken":1')) break;
  }
  closed.abort();
  expect(text).toContain('event: sync');
});

it('a sync that is stopped twenty times takes each file once', async () => {
  const count = 100;
  await Promise.all(Array.from({ length: count }, (_, at) => writeFile(path.join(folder, `${at}.txt`), `Text ${at}`)));
  const { body: source } = await make(folderConnector());
  for (let stops = 0; stops < 20; stops += 1) {
    await ask('POST', `/${source.id}/sync`);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20 + stops * 5);
    await app.services.syncSources(stop.signal);
  }
  const last = await sync(source);
  expect(last.counts).toMatchObject({ seen: count, failed: 0 });
  const { body } = await client.get<{ total_count: number }>('./documents?limit=1');
  expect(body.total_count).toBe(count);
});
