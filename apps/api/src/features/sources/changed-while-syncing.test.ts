import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Source, SourceSync, Tag } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { createSyncQueue, type SyncClaim } from './sync-queue-repository.ts';

let app: TestApp;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'inlet-'));
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
  await rm(root, { recursive: true });
});

let client: TestClient;
let queue: ReturnType<typeof createSyncQueue>;
let at: string;
let claim: SyncClaim;
/** A sync of the source has begun in another process. */
beforeEach(async () => {
  client = await app.addOrganization();
  queue = createSyncQueue(app.connection);
  for (const name of ['former', 'next']) await mkdir(path.join(root, client.organizationId, name), { recursive: true });
  app.services.settings.inletDirs.set(client.organizationId, [path.join(root, client.organizationId)]);
  const payload = { name: 'Inlet', every: '1h', connector: connectorTo('former') };
  const { body } = await client.request<Source>('POST', '/api/v2/sources', { payload, ...header() });
  at = `/api/v2/sources/${body.id}`;
  claim = (await queue.claim())!;
});

const header = () => ({ headers: { 'x-org-id': client.organizationId } });
const connectorTo = (name: string) => ({
  kind: 'folder',
  config: { path: path.join(root, client.organizationId, name), settle_seconds: 0 },
});
const failure = { code: 'source_refused', message: 'The server refuses the key.' };

it.each([
  ['a sync is asked for', async () => await client.request('POST', `${at}/sync`, header())],
  ['its interval changes', async () => await client.request('PATCH', at, { payload: { every: '2h' }, ...header() })],
])('looks again at once after a sync that fails while %s', async (_what, ask) => {
  await ask();
  await queue.fail(claim, failure);
  expect((await queue.claim())?.source.id).toBe(claim.source.id);
});

it.each([
  ['is switched off', async () => ({ enabled: false }), false],
  [
    'gives other tags',
    async () => ({ tag_ids: [(await client.post<Tag>('./tags', { name: 'New' })).body.tag_id] }),
    true,
  ],
  ['lets proposals be made', async () => ({ auto_create: true }), true],
])(
  'a sync ends when its source %s: what it has not taken is not taken as before',
  async (_what, change, isRepeated) => {
    await client.request('PATCH', at, { payload: await change(), ...header() });
    expect(await queue.renew(claim)).toBe(false);
    expect((await queue.claim())?.source.id).toBe(isRepeated ? claim.source.id : undefined);
  },
);

it('a sync goes on when its source gets another name', async () => {
  await client.request('PATCH', at, { payload: { name: 'Other' }, ...header() });
  expect(await queue.renew(claim)).toBe(true);
});

it('a sync of the former place ends when the connector changes, and its outcome says nothing about the next one', async () => {
  await client.request('PATCH', at, { payload: { connector: connectorTo('next') }, ...header() });
  expect(await queue.renew(claim)).toBe(false);
  await queue.fail(claim, failure);
  const counts = { seen: 1, taken: 1, unchanged: 0, missing: 0, failed: 0 };
  await queue.finish(claim, { counts, errors: [], seen: { digests: ['former'], files: 1 } });
  await writeFile(path.join(root, client.organizationId, 'next', 'a.txt'), 'Next');
  await app.services.syncSources(new AbortController().signal);
  const { body } = await client.request<SourceSync>('GET', `${at}/sync`, header());
  expect(body).toMatchObject({ state: 'waiting', error: null, counts: { taken: 1 } });
});

it.each([
  ['no date', 'damaged'],
  ['a number', 0],
  ['a thousand years ahead', new Date('3026-01-01')],
])('a source whose next time is %s is synced, and can be read', async (_what, next_sync_at) => {
  const counts = { seen: 0, taken: 0, unchanged: 0, missing: 0, failed: 0 };
  await queue.finish(claim, { counts, errors: [], seen: undefined });
  expect(await queue.claim()).toBeUndefined();
  const one = { organization_id: new mongoose.Types.ObjectId(client.organizationId) };
  await app.connection.collection('sources').updateOne(one, { $set: { next_sync_at } });
  expect((await client.request('GET', `${at}/sync`, header())).status).toBe(200);
  expect((await queue.claim())?.source.id).toBe(claim.source.id);
});
