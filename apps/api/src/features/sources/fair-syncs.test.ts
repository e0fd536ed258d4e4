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
  const hosts = [new URL(s3.url).host, new URL(silentUrl()).host].join(',');
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: hosts } });
});
afterAll(async () => {
  silent.close();
  silent.closeAllConnections();
  s3.stop();
  await app.stop();
});

const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

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

it('the server of one organization that never answers holds up no other organization, whoever comes first', async () => {
  const [hostile, honest] = [await app.addOrganization(), await app.addOrganization()];
  const job = sourcesFeature.jobs!(app.services).find(({ name }) => name === 'sync-sources')!;
  const stop = new AbortController();
  const runner = createJobRunner(job, stop.signal, { log: { error: () => undefined } });
  // One at a time: a run that has begun finds nothing else to do yet.
  for (let count = 1; count <= 5; count += 1) {
    isSilent = false;
    await sourceOf(hostile, silentUrl());
    isSilent = true;
    runner.poll();
    await vi.waitFor(() => expect(waiting).toBe(Math.min(count, 3)));
  }
  s3.objects.set('a.txt', 'One');
  const state = await sourceOf(honest, s3.url);
  runner.poll();
  // Not the file that was taken: its sync can be followed by another, which finds it unchanged.
  await vi.waitFor(async () => expect((await state()).counts).toMatchObject({ seen: 1 }), { timeout: 5_000 });
  expect(waiting).toBe(3);
  stop.abort();
  silent.closeAllConnections();
  await runner.settled();
});
