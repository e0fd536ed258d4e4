import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '@docwright/contract';
import { afterEach, expect, it } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createHostGuard } from './host-guard.ts';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The error code of a failed request, taken from the cause of what fetch throws. */
async function refusal(request: Promise<Response>): Promise<string> {
  try {
    await request;
    return 'none';
  } catch (error) {
    const reason = error instanceof DomainError ? error : (error as Error).cause;
    return reason instanceof DomainError ? reason.code : String(reason);
  }
}

it('refuses a private address, by name or number', async () => {
  let reached = 0;
  const port = await serve((_request, response) => response.end(String(++reached)));
  const guarded = createGuardedFetch(createHostGuard([], async () => [{ address: '127.0.0.1', family: 4 }]));
  for (const host of ['127.0.0.1', 'localhost', 'rebound.example.com', '2130706433', '[::ffff:127.0.0.1]']) {
    expect(await refusal(guarded(`http://${host}:${port}/v1/models`))).toBe('address_refused');
  }
  expect(reached).toBe(0);
});

it("connects to the checked address, even if the resolver's next answer differs", async () => {
  const port = await serve((request, response) => response.end(request.headers.host));
  const answers = ['127.0.0.1', '127.0.0.2'];
  const resolvedHosts: string[] = [];
  const guard = createHostGuard([`models.example.com:${port}`], async (host) => {
    resolvedHosts.push(host);
    return [{ address: answers.shift() ?? '192.0.2.1', family: 4 }];
  });
  const guarded = createGuardedFetch(guard);
  const response = await guarded(`http://models.example.com:${port}/v1/models`);
  expect(await response.text()).toBe(`models.example.com:${port}`);
  expect(resolvedHosts).toEqual(['models.example.com']);
});

it('checks each connection', async () => {
  let reached = 0;
  const port = await serve((_request, response) => response.end(String(++reached)));
  // Public when the URL is checked, loopback when connecting.
  const answers = ['93.184.216.34', '127.0.0.1'];
  const guard = createHostGuard([], async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
  const url = `http://rebound.example.com:${port}/v1`;
  await guard.checkUrl(url);
  expect(await refusal(createGuardedFetch(guard)(url))).toBe('address_refused');
  expect(reached).toBe(0);
});

it('follows no redirect, not even from an allowed host to its own loopback', async () => {
  let reached = 0;
  const inner = await serve((_request, response) => response.end(String(++reached)));
  const outer = await serve((_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${inner}/` }).end(),
  );
  const guarded = createGuardedFetch(createHostGuard([`127.0.0.1:${outer}`]));
  const request = guarded(`http://127.0.0.1:${outer}/v1/chat/completions`, { method: 'POST', body: '{}' });
  expect(await refusal(request)).toBe('redirect_refused');
  expect(reached).toBe(0);
});
