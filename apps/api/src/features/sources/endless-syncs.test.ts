import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Source, SourceSync } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createJobRunner } from '../../platform/jobs/job-runner.ts';
import { s3Key, startS3Server, type S3Server } from '../../testing/s3/s3-server.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { sourcesFeature } from './feature.ts';
import { turnMs } from './sync-places.ts';

const bucket = 'inbox-1';
let app: TestApp;
let s3: S3Server;
/** Lists nothing while a source is made, and never answers a sync. */
let silent: Server;
let isSilent = false;
let waiting = 0;
beforeAll(async () => {
  s3 = await startS3Server(bucket);
  silent = createServer((_request, response) => {
    if (isSilent) waiting += 1;
    else response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: [s3.url, silentUrl()].map(hostOf).join(',') } });
});
afterAll(async () => {
  vi.useRealTimers();
  silent.close();
  silent.closeAllConnections();
  s3.stop();
  await app.stop();
});

const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
const hostOf = (url: string) => new URL(url).host;

async function sourceOf(client: TestClient, endpoint: string) {
  const config = { endpoint, bucket, path_style: true, access_key_id: s3Key.accessKeyId };
  const ask = <Body>(method: 'GET' | 'POST', route: string, payload?: object) =>
    client.request<Body>(method, `/api/v2/sources${route}`, {
      ...(payload && { payload }),
      headers: { 'x-org-id': client.organizationId },
    });
  const connector = { kind: 's3', config, secret: s3Key.secretAccessKey };
  const { body } = await ask<Source>('POST', '', { name: 'Inbox', connector });
  await ask('POST', `/${body.id}/sync`);
  return async () => (await ask<SourceSync>('GET', `/${body.id}/sync`)).body;
}

it('servers of two organizations that never answer give their places up after a turn, if another organization waits', async () => {
  s3.objects.set('a.txt', 'One');
  const hostile = [await app.addOrganization(), await app.addOrganization()];
  const honest = await app.addOrganization();
  for (const client of hostile) for (let count = 0; count < 3; count += 1) await sourceOf(client, silentUrl());
  isSilent = true;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const job = sourcesFeature.jobs!(app.services).find(({ name }) => name === 'sync-sources')!;
  const stop = new AbortController();
  const runner = createJobRunner(job, stop.signal, { log: { error: () => undefined } });
  runner.poll();
  await vi.waitFor(() => expect(waiting).toBe(6));
  const state = await sourceOf(honest, s3.url);
  runner.poll();
  await vi.advanceTimersByTimeAsync(turnMs);
  // A second sync can follow at once, which takes nothing.
  await vi.waitFor(async () => expect((await state()).counts).toMatchObject({ seen: 1 }), { timeout: 20_000 });
  stop.abort();
  silent.closeAllConnections();
  await runner.settled();
});
