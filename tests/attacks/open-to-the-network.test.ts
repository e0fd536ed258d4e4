import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../apps/api/src/testing/test-app.ts';
import { startServer, type KillableServer } from '../faults/killable-server.ts';

/** This machine's address in the network; undefined if it has none. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

/** The addresses and ports on which a process and its children listen, in hexadecimal as in /proc/net. */
function listenedOnBy(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(path.join(folder, fd));
    } catch {
      return '';
    }
  });
  const own = new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  );
  const listening = rows
    .map((row) => row.trim().split(/\s+/u))
    .filter((row) => row[3] === '0A' && own.has(row[9] ?? ''));
  return [...listening.map((row) => row[1] ?? ''), ...children.flatMap(listenedOnBy)];
}

describe('a server that listens on all addresses', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'open-server-'));
  let server: KillableServer;
  let port: string;
  beforeAll(async () => {
    server = await startServer({ DATA_DIR: dataDir, HOST: '0.0.0.0' });
    ({ port } = new URL(server.url));
  });
  afterAll(async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it.skipIf(process.platform !== 'linux')('opens one port to the network: not the database, not the demo model', () => {
    const open = listenedOnBy(server.pid).filter((each) => !each.startsWith('0100007F:'));
    expect(open.map((each) => Number.parseInt(each.split(':')[1] ?? '', 16))).toEqual([Number(port)]);
  });

  it('can be claimed only with the token of its link, under every name and address', async () => {
    const hosts = ['127.0.0.1', ...(address === undefined ? [] : [address])];
    const body = { email: 'thief@example.com', name: 'Thief', password: testPassword };
    for (const host of hosts) {
      for (const setup of [{}, { setup_token: 'a guess' }]) {
        const answer = await fetch(`http://${host}:${port}/v0/auth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, ...setup }),
        });
        expect([host, answer.status]).toEqual([host, 403]);
      }
      expect(
        (await fetch(`http://${host}:${port}/sign-in?token=guess`, { redirect: 'manual' })).headers.get('set-cookie'),
      ).toBe(null);
      for (const closed of ['/v0/orgs', '/v0/me', '/api/v2/sources']) {
        expect((await fetch(`http://${host}:${port}${closed}`)).status).toBe(401);
      }
    }
    // The link still works once.
    const { search } = new URL(server.link);
    const enter = async () => fetch(`http://127.0.0.1:${port}/sign-in${search}`, { redirect: 'manual' });
    expect((await enter()).headers.get('set-cookie')).toContain('HttpOnly');
    expect((await enter()).headers.get('set-cookie')).toBe(null);
  });
});
