import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareDataDirectory, writeServerInfo } from './data-directory.ts';
import { joinServer } from './join-server.ts';

test('a reset connection counts as the exit of the joined server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'join-server-'));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  prepareDataDirectory(dataDir);
  writeServerInfo(dataDir, { pid: process.pid, uri: `mongodb://127.0.0.1:${port}/` });
  const [joined, [connection]] = await Promise.all([
    joinServer(dataDir),
    once(server, 'connection') as Promise<[Socket]>,
  ]);
  connection.resetAndDestroy();
  await expect(joined!.exited).resolves.toBeNull();
  server.close();
  await rm(dataDir, { recursive: true });
});
