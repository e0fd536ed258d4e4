import { afterEach, expect, it } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { answer, startScriptedServer } from '../testing/scripted-server.ts';

const prompt = '6650f1c2a4b3d2e1f0a9b8c1';
let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(() => server?.stop());

async function docwright(handlers: Parameters<typeof startScriptedServer>, ...args: string[]) {
  await server?.stop();
  server = await startScriptedServer(...handlers);
  const env = { DOCWRIGHT_URL: server.url, DOCWRIGHT_TOKEN: 'dw_token', DOCWRIGHT_ORG: '6650f1c2a4b3d2e1f0a9b8c0' };
  return await runCaptured(args, env);
}

it('lists results with the columns that are asked for', async () => {
  const row = { document_name: 'a.pdf', to_check: 3, fields: { supplier: 'Acme', total: 5 } };
  const page = { rows: [row], columns: [{ path: 'supplier' }, { path: 'total' }], total_count: 7, next_cursor: null };
  const ran = await docwright([answer(200, page)], 'results', prompt, '--columns', 'total', '--where', 'total>1');
  expect(ran).toMatchObject({ code: 0, stderr: '1 of 7 rows.\n' });
  expect(ran.stdout).toContain('a.pdf\t5\t3');
});

it('finds a prompt by its name, and says how to list them', async () => {
  const named = (name: string) => ({ prompt_id: prompt, name, created_at: '2026-01-01T00:00:00Z', prompt_version: 2 });
  const page = { rows: [], columns: [], total_count: 0, next_cursor: null };
  const prompts = answer(200, { prompts: [named('Invoice')], total_count: 1 });
  const ran = await docwright([prompts, answer(200, page)], 'results', 'invoice');
  expect([ran.code, server!.requests[1]!.url]).toEqual([0, expect.stringContaining(`/prompts/${prompt}/results`)]);
  const none = await docwright([answer(200, { prompts: [], total_count: 0 })], 'results', 'Nope');
  expect(none).toMatchObject({
    code: 4,
    stderr: 'There is no prompt called "Nope". List them with: docwright prompts\n',
  });
  const list = await docwright([answer(200, { prompts: [named('Invoice')], total_count: 1 })], 'prompts');
  expect(list.stdout).toBe(`${prompt}\tInvoice\t2\n`);
});

it('prints events page after page, and names an unknown type', async () => {
  const event = { seq: 1, timestamp: 't', type: 'run.completed', data: { document_name: 'a.pdf' } };
  const pages = [
    { events: [event], next_after: 1 },
    { events: [], next_after: 1 },
  ].map((page) => answer(200, page));
  const ran = await docwright(pages, 'events');
  expect(ran.stdout).toBe('1  t  run.completed  a.pdf \n');
  expect((await docwright([], 'events', '--types', 'nope')).stderr).toContain('no event type "nope"');
});

it('creates a webhook and prints its secret once', async () => {
  const made = { id: prompt, secret: 'whsec_x' };
  const ran = await docwright([answer(201, made)], 'webhooks', 'create', 'https://example.com/hook');
  expect(ran.stdout).toBe(`${prompt}  whsec_x\n`);
});

it('adds up results by columns', async () => {
  const summary = { totals: [{ key: ['Acme', null], sum: 7.5, count: 2, without_value: 0 }], total_count: 1 };
  const ran = await docwright(
    [answer(200, summary)],
    'results',
    prompt,
    '--group-by',
    'supplier,paid',
    '--sum',
    'total',
  );
  expect(ran.stdout).toBe('Acme\tnull\t2\t7.5\n');
  const { pathname, searchParams } = new URL(server!.requests[0]!.url, 'http://localhost');
  expect(pathname).toMatch(/\/results\/summary$/);
  expect(Object.fromEntries(searchParams)).toEqual({ group_by: 'supplier,paid', sum: 'total' });
});

it('lists deliveries, replaces a secret and deletes a webhook', async () => {
  const sent = {
    seq: 4,
    type: 'run.completed',
    state: 'pending',
    tries: 2,
    status: 500,
    seconds: 0.1,
    next_try_at: 'soon',
  };
  const listed = await docwright(
    [answer(200, { deliveries: [sent], total_count: 1 })],
    'webhooks',
    'deliveries',
    prompt,
  );
  expect(listed.stdout).toBe('4\trun.completed\tpending\t2\t500\t0.1\tsoon\n');
  const rotated = await docwright([answer(200, { secret: 'whsec_y' })], 'webhooks', 'rotate', prompt);
  expect(rotated.stdout).toBe('whsec_y\n');
  expect((await docwright([answer(204, '')], 'webhooks', 'delete', prompt)).stderr).toBe('Deleted.\n');
});
