import { connect, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type KillableServer } from '../faults/killable-server.ts';

/**
 * Runs only with `ATTACKS_LARGE=1`: it takes minutes, and its times mean nothing on a busy machine. A server with a heap of
 * 1.5 GB gets the largest inputs at once and must answer `/health` within 500 ms all the time.
 */
const isLarge = process.env['ATTACKS_LARGE'] === '1';
const slowestMs = 500;
const megabyte = 1024 * 1024;

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Built before the measurement, because building blocks this process. */
function makeInputs(): [name: string, bytes: Blob][] {
  const document = `<w:document xmlns:w="${word}">${'<w:p/>'.repeat(30_000_000)}`;
  const bomb = zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8(document) });
  const files: [string, Uint8Array<ArrayBuffer>][] = [
    ['word.txt', Buffer.alloc(49 * megabyte, 'a')],
    ['wide.csv', Buffer.from(`${'a,'.repeat(1_000_000)}b\n`)],
    ['long.csv', Buffer.from('12,abc,def,9\n'.repeat(400_000))],
    ['spaces.txt', Buffer.alloc(40 * megabyte, ' ')],
    ['bomb-1.docx', new Uint8Array(bomb)],
    ['bomb-2.docx', new Uint8Array(bomb)],
    ['bomb-3.docx', new Uint8Array(bomb)],
  ];
  return files.map(([name, bytes]) => [name, new Blob([bytes])]);
}

describe.skipIf(!isLarge)('a server with little memory', () => {
  let dataDir: string;
  let server: KillableServer;
  let cookie: string;
  let organization: string;

  beforeAll(async () => {
    const memory = { NODE_OPTIONS: '--max-old-space-size=1500', MAX_UPLOAD_MB: '50' };
    dataDir = mkdtempSync(path.join(tmpdir(), 'under-pressure-'));
    server = await startServer({ DATA_DIR: dataDir, ...memory });
    const entered = await fetch(server.link, { redirect: 'manual' });
    cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = await fetch(`${server.url}/v0/me`, { headers: { cookie } });
    organization = ((await me.json()) as { organizations: [{ id: string }] }).organizations[0].id;
  });
  afterAll(async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function upload([name, bytes]: [string, Blob]): Promise<{ id: string } | undefined> {
    const form = new FormData();
    form.append('files', bytes, name);
    const url = `${server.url}/v0/orgs/${organization}/documents`;
    const answer = await fetch(url, { method: 'POST', headers: { cookie, origin: server.url }, body: form });
    expect(answer.status, name).toBeLessThan(500);
    return answer.status === 201 ? ((await answer.json()) as { documents: [{ id: string }] }).documents[0] : undefined;
  }

  /** A reader of one byte a second. */
  function readSlowly(id: string): Socket {
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('readable', () => undefined);
    const file = `/v0/orgs/${organization}/documents/${id}/file`;
    socket.write(`GET ${file} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`);
    const timer = setInterval(() => socket.read(1), 1_000);
    socket.on('close', () => clearInterval(timer));
    return socket;
  }

  it('answers /health in time while it gets the largest inputs at once, and is not killed', async () => {
    const inputs = makeInputs();
    const waits: number[] = [];
    const isOver = new AbortController();
    const watching = (async () => {
      while (!isOver.signal.aborted) {
        const startedAt = performance.now();
        const { status } = await fetch(`${server.url}/health`);
        waits.push(performance.now() - startedAt);
        expect(status).toBe(200);
        await sleep(50);
      }
    })();
    const documents = (await Promise.all(inputs.map(upload))).filter((each) => each !== undefined);
    const readers = documents.slice(0, 3).flatMap(({ id }) => Array.from({ length: 6 }, () => readSlowly(id)));
    const states = async () => {
      const list = await fetch(`${server.url}/v0/orgs/${organization}/documents?limit=100`, { headers: { cookie } });
      const { documents: all } = (await list.json()) as { documents: { state: string }[] };
      return all.filter(({ state }) => /uploaded|processing/.test(state)).length;
    };
    await expect.poll(states, { timeout: 300_000, interval: 1_000 }).toBe(0);
    for (const socket of readers) socket.destroy();
    isOver.abort();
    await watching;
    const sorted = waits.toSorted((one, other) => one - other);
    const longest = Math.round(sorted.at(-1) ?? 0);
    console.info(
      `/health: ${waits.length} times, median ${Math.round(sorted[waits.length >> 1] ?? 0)} ms, longest ${longest} ms`,
    );
    expect(longest).toBeLessThan(slowestMs);
  }, 400_000);
});
