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

const id = (n: number) => String(n).padStart(24, '0');
const route = (n: number, name: string) => ({ id: id(n), name, enabled: true, stop: n > 1, when: {}, then: {} });
const routes = answer(200, { routes: [route(1, 'Invoices'), route(2, 'Rest')], total_count: 2 });

it('lists routes in their order, and sets the order by names', async () => {
  const listed = await docwright([routes], 'routes');
  expect(listed.stdout.split('\n')[0]).toBe(`${id(1)}\tInvoices\tenabled, goes on\tevery document\t{}`);
  const ordered = answer(200, { routes: [route(2, 'Rest'), route(1, 'Invoices')] });
  const ran = await docwright([routes, routes, ordered], 'routes', 'order', 'rest', 'Invoices');
  expect(ran.stderr).toBe('In order: Rest, Invoices.\n');
  expect(JSON.parse(server!.requests[2]!.body)).toEqual({ ids: [id(2), id(1)] });
});

it('creates a route of its conditions and of what it gives', async () => {
  const tags = answer(200, { tags: [{ tag_id: id(7), name: 'Invoice' }], total_count: 1 });
  const args = ['--text', 'total due', '--max-pages', '3', '--tag', 'invoice', '--split', 'propose', '--go-on'];
  const ran = await docwright([tags, answer(201, route(1, 'Invoices'))], 'routes', 'create', 'Invoices', ...args);
  expect(ran.stdout).toBe(`${id(1)}\n`);
  expect(JSON.parse(server!.requests[1]!.body)).toEqual({
    name: 'Invoices',
    when: { text_contains: ['total due'], pages: { max: 3 } },
    then: { tag_ids: [id(7)], split: 'propose' },
    stop: false,
    trust: false,
  });
  expect((await docwright([], 'routes', 'create', 'x', '--split', 'maybe')).stderr).toContain('propose or apply');
});

it('tries routes on the last documents, and settles one by a name or nowhere', async () => {
  const tried = {
    documents: [
      { document_name: 'a.pdf', state: 'routed', routes: ['Invoices'], why: 'w' },
      { document_name: 'b.pdf', state: 'unsure', routes: [], candidates: ['Rest'], why: 'v' },
    ],
    confusion: [
      { tag_ids: [id(7), id(8)], routed_tag_ids: [id(8), id(7)], count: 1 },
      { tag_ids: [], routed_tag_ids: [id(7)], count: 1 },
    ],
  };
  const ran = await docwright([answer(200, tried)], 'routes', 'try', '--last', '2');
  expect(ran.stdout).toBe('a.pdf\trouted\tInvoices\tw\nb.pdf\tunsure\tRest?\tv\n');
  expect(ran.stderr).toBe('1 of 2 documents would have the tags that they have.\n');
  expect(JSON.parse(server!.requests[0]!.body)).toEqual({ max_documents: 2 });
  const document = answer(200, { id: id(9) });
  const nowhere = await docwright([document, document], 'routes', 'settle', id(9), 'none');
  expect(nowhere.stderr).toBe('No route took it.\n');
  expect(JSON.parse(server!.requests[1]!.body)).toEqual({ route_id: null });
  await docwright([document, routes, document], 'routes', 'settle', id(9), 'Rest');
  expect(JSON.parse(server!.requests[2]!.body)).toEqual({ route_id: id(2) });
});
