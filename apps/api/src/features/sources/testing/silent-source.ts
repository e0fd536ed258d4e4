import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Source, SourceSync } from '@docwright/contract';
import { s3Key, startS3Server } from '../../../testing/s3/s3-server.ts';
import { startTestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';
import { createJobRunner, type JobRunner } from '../../../platform/jobs/job-runner.ts';
import { sourcesFeature } from '../feature.ts';

const bucket = 'inbox-1';

/** An app with an honest bucket and one whose server lists nothing, and never answers once it is silent. */
export async function startWithSilentSource() {
  const s3 = await startS3Server(bucket);
  let isSilent = false;
  let waiting = 0;
  const server = createServer((_request, response) => {
    if (isSilent) waiting += 1;
    else response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const silentUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hosts = [s3.url, silentUrl].map((url) => new URL(url).host).join(',');
  const app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: hosts } });

  /** Makes a source and asks for its sync. Returns a function that reads the state of the sync. */
  async function sourceOf(client: TestClient, endpoint: string): Promise<() => Promise<SourceSync>> {
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

  const stopping = new AbortController();
  const job = sourcesFeature.jobs!(app.services).find(({ name }) => name === 'sync-sources')!;
  const runner: JobRunner = createJobRunner(job, stopping.signal, { log: { error: () => undefined } });
  return {
    app,
    s3,
    runner,
    /** Requests that the silent server has not answered. */
    waiting: () => waiting,
    setSilent: (silent: boolean) => void (isSilent = silent),
    honestSource: async (client: TestClient) => await sourceOf(client, s3.url),
    silentSource: async (client: TestClient) => await sourceOf(client, silentUrl),
    stop: async (): Promise<void> => {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await runner.settled();
      s3.stop();
      await app.stop();
    },
  };
}
