/** The official conformance suite of the Model Context Protocol, run against the product's endpoint. */
import { createServer, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fs from 'node:fs';
import path from 'node:path';
import { setup } from '../../apps/api/src/testing/shared-database.ts';
import { createMcpFixtureServer } from '../../apps/api/src/testing/mcp-fixture-server.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { run } from './programs.ts';

/** Scenarios that do not apply: they say so themselves, or they need features that the product does not have. */
const leftOut: Record<string, string> = {
  'tools-call-sampling': 'the product asks no client for a model',
  'dns-rebinding-protection': 'for servers without sign-in; every request here needs a token',
  'server-sse-polling': 'pending in the suite; a response here is resumed by get_call, not by a stream',
  'server-sse-multiple-streams': 'pending in the suite; no stream stands beside the answers',
};
/** Scenarios that also run against the product's own tools, resources and prompts. */
const ownToo = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'];

/** Runs every scenario for servers. @throws Error that names those that fail. */
export async function mcpConformance(place: string): Promise<string> {
  const suite = path.join(place, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const listed = await run(process.execPath, [suite, 'list', '--server'], { cwd: place }).catch(() =>
    run(process.execPath, [suite, 'list'], { cwd: place }),
  );
  const ofServers = listed.split(/^Client scenarios/mu)[0] ?? '';
  const scenarios = [...ofServers.matchAll(/^\s+- (\S+) \[/gmu)].map(([, name]) => name ?? '');
  const applying = scenarios.filter((name) => !(name in leftOut));
  const stopDatabase = await setup();
  const app = await startTestApp();
  const proxy = await startProxy(app);
  const failed: string[] = [];
  const tryScenario = async (name: string, which: string) => {
    const results = path.join(place, 'results');
    fs.mkdirSync(results, { recursive: true });
    const { port } = proxy.address() as AddressInfo;
    const args = ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--scenario', name, '-o', results];
    await run(process.execPath, [suite, ...args], { cwd: place }).catch((error: unknown) => {
      failed.push(`${name} (${which}): ${error instanceof Error ? error.message.slice(-1500) : String(error)}`);
    });
  };
  try {
    for (const name of ownToo.filter((each) => applying.includes(each))) await tryScenario(name, 'own tools');
    app.services.mcp.makeServer = createMcpFixtureServer;
    for (const name of applying) await tryScenario(name, 'fixtures');
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await app.stop();
    await stopDatabase?.();
  }
  if (failed.length > 0) throw new Error(failed.join('\n\n'));
  const notes = scenarios.length - applying.length;
  return `${applying.length} of ${scenarios.length} scenarios passed; ${notes} do not apply`;
}

/** The suite cannot sign in: a proxy adds the token to its requests. */
async function startProxy({ address, admin }: TestApp): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${admin.accessToken}`, host: new URL(address).host };
    const forwarded = sendRequest(new URL(incoming.url ?? '/', address), { method: incoming.method, headers });
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
