import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { answer, startScriptedServer } from '../testing/scripted-server.ts';

const ids = ['a', 'b'].map((letter) => letter.repeat(24));
const [first = ''] = ids;

let folder: string;
let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docwright-'));
});
afterEach(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

async function docwright(handlers: Parameters<typeof startScriptedServer>, ...args: string[]) {
  server = await startScriptedServer(...handlers);
  const env = { DOCWRIGHT_URL: server.url, DOCWRIGHT_TOKEN: 'dw_token', DOCWRIGHT_ORG: '6650f1c2a4b3d2e1f0a9b8c0' };
  return await runCaptured(args, env);
}

async function file(content: unknown): Promise<string> {
  const name = path.join(folder, 'given.json');
  await writeFile(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}
const sent = (at: number) => JSON.parse(server!.requests[at]!.body) as Record<string, unknown>;

it('creates the routes of a file, and says what is wrong with it', async () => {
  const bodies = [
    { name: 'One', when: {}, then: {} },
    { name: 'Two', when: {}, then: {} },
  ];
  const made = bodies.map(({ name }, at) => answer(201, { id: ids[at], name }));
  const ran = await docwright(made, 'routes', 'import', await file(bodies));
  expect(ran).toMatchObject({ code: 0, stdout: `${ids[0]}  One\n${ids[1]}  Two\n` });
  expect(sent(1)).toEqual(bodies[1]);
  await server?.stop();
  const broken = await docwright([], 'routes', 'import', await file('{ "name": '));
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('given.json is not JSON')]);
  await server?.stop();
  expect((await docwright([], 'routes', 'import', '/nowhere.json')).stderr).toContain('/nowhere.json cannot be read');
});

it('tries routes that are not saved', async () => {
  const unsaved = { name: 'New', when: {}, then: {} };
  const tried = answer(200, { documents: [], confusion: [] });
  await docwright([tried], 'routes', 'try', '--confirm', '--routes', await file(unsaved));
  expect(sent(0)).toEqual({ max_documents: 100, confirm: true, routes: [unsaved] });
});

it('tries a connector and creates a source that fills itself', async () => {
  const connector = { kind: 'folder', config: { path: '/in' } };
  const tested = answer(200, { files: [{ name: 'scan.pdf', size_bytes: 5 }], has_more: false });
  const ran = await docwright([tested], 'sources', 'test', await file(connector));
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('5\tscan.pdf'), stderr: 'It works.\n' });
  expect(sent(0)).toEqual({ connector });
  await server?.stop();
  const made = answer(201, { id: first, name: 'In' });
  const options = ['--every', '1h', '--off', '--never-to-model'];
  const created = await docwright([made], 'sources', 'connect', 'In', await file(connector), ...options);
  expect(created).toMatchObject({ code: 0, stdout: `${first}\n` });
  expect(sent(0)).toEqual({ name: 'In', connector, every: '1h', enabled: false, never_to_model: true });
});

it('takes a secret from a prompt or a pipe, never from an argument', async () => {
  const ran = await docwright([], 'sources', 'connect', 'Mail', await file({ kind: 'imap', config: {} }), '--secret');
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('No secret was given.')]);
});
