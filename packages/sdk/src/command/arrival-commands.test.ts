import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { answer, startScriptedServer } from '../testing/scripted-server.ts';

const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
const [first = '', second = '', third = ''] = ids;
const route = (id: string, name: string) => ({ id, name, enabled: true, when: {}, then: { tag_ids: [] } });
const routes = [route(first, 'Invoices'), route(second, 'Letters'), route(third, 'Rest')];
const list = answer(200, { routes, total_count: 3 });

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

it('lists routes in their order, and creates those of a file', async () => {
  expect((await docwright([list], 'routes')).stdout).toContain(`1\t${first}\ton\tInvoices`);
  await server?.stop();
  const bodies = [
    { name: 'One', when: {}, then: {} },
    { name: 'Two', when: {}, then: {} },
  ];
  const made = [answer(201, route(first, 'One')), answer(201, route(second, 'Two'))];
  const ran = await docwright(made, 'routes', 'create', await file(bodies));
  expect(ran).toMatchObject({ code: 0, stdout: `${first}  One\n${second}  Two\n` });
  expect(sent(1)).toEqual(bodies[1]);
});

it('says what is wrong with a file', async () => {
  const ran = await docwright([], 'routes', 'create', await file('{ "name": '));
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('given.json is not JSON')]);
  await server?.stop();
  expect((await docwright([], 'routes', 'create', '/nowhere.json')).stderr).toContain('/nowhere.json cannot be read');
});

it('sets the order by names; the others follow', async () => {
  const ran = await docwright([list, answer(200, { routes })], 'routes', 'order', 'rest');
  expect(ran.code).toBe(0);
  expect(sent(1)).toEqual({ ids: [third, first, second] });
});

it('deletes a route by its name, and says when there is none', async () => {
  expect((await docwright([list, answer(204, '')], 'routes', 'delete', 'Letters')).code).toBe(0);
  expect(server!.requests[1]).toMatchObject({ method: 'DELETE', url: expect.stringContaining(`/routes/${second}`) });
  await server?.stop();
  expect((await docwright([list], 'routes', 'delete', 'Nothing')).stderr).toContain('no route called "Nothing"');
});

it('simulates, and asks a model only with --yes', async () => {
  const error = {
    code: 'confirm_required',
    message: 'A model would be asked about 3 documents, for about 2 SPU. Repeat the request with "confirm": true.',
  };
  const asks = answer(409, { error });
  const refused = await docwright([asks], 'routes', 'simulate', '--documents', '3');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('for about 2 SPU.\nRepeat the command with --yes'),
  ]);
  expect(sent(0)).toEqual({ max_documents: 3 });
  await server?.stop();
  const document = {
    document_id: first,
    document_name: 'a.pdf',
    state: 'unsure',
    routes: [],
    candidates: ['Letters'],
    why: 'Not sure.',
  };
  const unsaved = { name: 'New', when: {}, then: {} };
  const ran = await docwright(
    [answer(200, { documents: [document], confusion: [] })],
    'routes',
    'simulate',
    '--yes',
    '--routes',
    await file(unsaved),
  );
  expect(ran.stdout).toContain('unsure\tLetters\ta.pdf\tNot sure.');
  expect(ran.stderr).toBe('0 routed, 1 unsure, 0 without a route.\n');
  expect(sent(0)).toEqual({ confirm: true, routes: [unsaved] });
});

it('tries a connector and creates a source that fills itself', async () => {
  const connector = { kind: 'folder', config: { path: '/in' } };
  const tested = answer(200, { files: [{ name: 'scan.pdf', size_bytes: 5 }], has_more: false });
  const ran = await docwright([tested], 'sources', 'test', await file(connector));
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('5\tscan.pdf'), stderr: 'It works.\n' });
  expect(sent(0)).toEqual({ connector });
  await server?.stop();
  const made = answer(201, { id: first, name: 'In' });
  const created = await docwright([made], 'sources', 'connect', 'In', await file(connector), '--every', '1h', '--off');
  expect(created).toMatchObject({ code: 0, stdout: `${first}\n` });
  expect(sent(0)).toEqual({ name: 'In', connector, every: '1h', enabled: false });
});

it('takes a secret from a prompt or a pipe, never from an argument', async () => {
  const ran = await docwright([], 'sources', 'connect', 'Mail', await file({ kind: 'imap', config: {} }), '--secret');
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('No secret was given.')]);
});
