import { afterEach, expect, it } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { answer, startScriptedServer } from '../testing/scripted-server.ts';

let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(() => server?.stop());

async function docwright(handlers: Parameters<typeof startScriptedServer>, ...args: string[]) {
  await server?.stop();
  server = await startScriptedServer(...handlers);
  const env = { DOCWRIGHT_URL: server.url, DOCWRIGHT_TOKEN: 'dw_token', DOCWRIGHT_ORG: '6650f1c2a4b3d2e1f0a9b8c0' };
  return await runCaptured(args, env);
}

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
