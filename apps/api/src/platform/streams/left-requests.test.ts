import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Webhook } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

/** Takes requests and answers none. */
let silent: Server;
let host: string;
let app: TestApp;
let open = 0;
let arrived = 0;

beforeAll(async () => {
  silent = createServer((request) => {
    arrived += 1;
    open += 1;
    request.socket.once('close', () => (open -= 1));
  });
  await new Promise<void>((listening) => void silent.listen(0, '127.0.0.1', listening));
  host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: host } });
});
afterAll(async () => {
  await app.stop();
  silent.closeAllConnections();
  silent.close();
});

it('ends a request to an address of a user when the client leaves before its answer', async () => {
  const { organizationId, accessToken } = app.admin;
  const at = `/v0/orgs/${organizationId}`;
  const url = `http://${host}`;
  const provider = { base_url: `${url}/v1`, token: 'a-token-of-a-test' };
  expect(await app.admin.put('./llm/providers/silent', provider)).toMatchObject({ status: 201 });
  const webhook = await app.admin.post<Webhook>('./webhooks', { url, types: ['document.ready'] });
  const config = { endpoint: url, bucket: 'inbox', path_style: true, access_key_id: 'a-key' };
  const requests: [string, object][] = [
    ['/api/v2/sources/test', { connector: { kind: 's3', config, secret: 'a secret' } }],
    [`${at}/webhooks/${webhook.body.id}/test`, {}],
    [`${at}/llm/providers/silent/discover`, {}],
  ];
  for (const [path, body] of requests) {
    const before = arrived;
    const leaving = new AbortController();
    const asked = fetch(`${app.address}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        'x-org-id': organizationId,
      },
      signal: leaving.signal,
    });
    await Promise.race([
      vi.waitFor(() => expect(arrived, path).toBeGreaterThan(before), 20_000),
      asked.then(async (answer) => expect.fail(`${path}: ${answer.status} ${await answer.text()}`)),
    ]);
    leaving.abort();
    await expect(asked).rejects.toThrow('abort');
    await vi.waitFor(() => expect(open, path).toBe(0), 8_000);
  }
});
