import type { Route, RouteSimulation } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { RouteSettings } from './route-settings.tsx';

const route = (id: string, name: string, more: Partial<Route> = {}): Route => ({
  id,
  name,
  position: 0,
  when: { text_contains: [name.toLowerCase()] },
  then: { tag_ids: ['t'] },
  stop: true,
  trust: false,
  min_confidence: 0.9,
  enabled: true,
  created_by: 'u',
  updated_at: '2026-11-01T00:00:00Z',
  ...more,
});

let routes: Route[];
interface SentBody {
  ids: string[];
  confirm?: boolean;
  routes?: { id?: string }[];
}
let sent: { method: string; path: string; body: SentBody | undefined }[];
let mustConfirm: boolean;
const simulation: RouteSimulation = {
  documents: [
    { document_id: '1', document_name: 'a.pdf', state: 'routed', routes: ['Invoices'], why: 'It has “invoice”.' },
    {
      document_id: '2',
      document_name: 'b.pdf',
      state: 'unsure',
      routes: [],
      why: 'Not sure.',
      candidates: ['Letters'],
    },
    { document_id: '3', document_name: 'c.pdf', state: 'none', routes: [], why: 'No route fits.' },
  ],
  confusion: [{ tag_ids: [], routed_tag_ids: ['t'], count: 1 }],
};

beforeEach(() => {
  routes = [route('a', 'Invoices'), route('b', 'Letters', { enabled: false })];
  sent = [];
  mustConfirm = false;
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const json = typeof body === 'string' ? (JSON.parse(body) as SentBody) : undefined;
    if (method !== 'GET') sent.push({ method, path, body: json });
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (path.endsWith('/simulate')) {
      if (!mustConfirm || json?.confirm === true) return Response.json(simulation);
      const error = { code: 'confirm_required', message: 'Ask.', details: { requests: 3, spu_estimated: 2 } };
      return Response.json({ error }, { status: 409 });
    }
    if (path.endsWith('/order')) {
      routes = (json?.ids ?? []).map((id) => routes.find((each) => each.id === id)!);
      return Response.json({ routes });
    }
    if (method === 'POST' || method === 'PATCH') return Response.json({ ...routes[0], ...json });
    if (path.includes('/routes')) return Response.json({ routes, total_count: routes.length });
    return Response.json({
      tags: [{ tag_id: 't', name: 'Invoice', color: '#dc2626' }],
      prompts: [{ prompt_id: 'p', name: 'Invoice fields' }],
      sources: [],
      total_count: 1,
    });
  });
});
afterEach(() => void vi.unstubAllGlobals());

function open() {
  renderPage({ '/': <RouteSettings />, '/documents/$documentId': null });
  return userEvent.setup();
}

it('lists routes in words and in their order, and moves them with all ids', async () => {
  const user = open();
  expect(await screen.findByText(/text has “invoices”/)).toBeTruthy();
  expect((await screen.findAllByText(/tag Invoice/)).length).toBe(2);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Move Invoices up' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Move Letters up' }));
  await waitFor(() =>
    expect(sent.at(-1)).toMatchObject({ path: '/v0/orgs/org/routes/order', body: { ids: ['b', 'a'] } }),
  );
  await waitFor(() =>
    expect(screen.getAllByRole('heading', { level: 3 }).map((each) => each.textContent)).toEqual([
      '1. Letters',
      '2. Invoices',
    ]),
  );
});

it('makes a route and shows where documents would go before it is saved', async () => {
  routes = [route('a', 'Invoices')];
  mustConfirm = true;
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Add a route' }));
  const form = within(screen.getByRole('form', { name: 'New route' }));
  await user.type(form.getByLabelText('Name'), 'Notices');
  await user.type(form.getByLabelText('Described as'), 'A notice.');
  await user.click(form.getByLabelText('Invoice'));
  await user.selectOptions(form.getByLabelText('Starts on arrival'), 'prompts');
  await user.click(form.getByRole('button', { name: /Show where/ }));
  expect(await form.findByText(/A model would be asked about 3 documents/)).toBeTruthy();
  await user.click(form.getByRole('button', { name: 'Ask the model' }));
  expect(await form.findByText('a.pdf')).toBeTruthy();
  expect(form.getByText(/Might be: Letters/)).toBeTruthy();
  const tried = sent.at(-1)?.body;
  expect(tried).toMatchObject({ confirm: true, routes: [{ name: 'Invoices' }, { name: 'Notices' }] });
  expect(tried?.routes?.[0]?.id).toBeUndefined();
  // What is shown belongs to the routes that were tried.
  await user.clear(form.getByLabelText('Certainty in %'));
  await user.type(form.getByLabelText('Certainty in %'), '95');
  expect(form.queryByText('a.pdf')).toBeNull();
  await user.click(form.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'POST', path: '/v0/orgs/org/routes' }));
  expect(sent.at(-1)?.body).toEqual({
    name: 'Notices',
    when: { described_as: 'A notice.' },
    then: { tag_ids: ['t'], on_arrival: { run_prompts: true } },
    stop: true,
    trust: false,
    min_confidence: 0.95,
    enabled: true,
  });
});

it('changes, turns off and deletes a route', async () => {
  const user = open();
  await user.click((await screen.findAllByRole('button', { name: 'Edit' }))[0]!);
  const form = within(screen.getByRole('form', { name: 'Edit Invoices' }));
  await user.type(form.getByLabelText('Words in the text'), '{enter}total');
  await user.type(form.getByLabelText('Set metadata'), 'kind');
  expect(form.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await user.type(form.getByLabelText('Set metadata'), ': invoice');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PATCH', path: '/v0/orgs/org/routes/a' }));
  expect(sent.at(-1)?.body).toMatchObject({
    when: { text_contains: ['invoices', 'total'] },
    then: { metadata: { kind: 'invoice' } },
  });
  await user.click(await screen.findByRole('button', { name: 'Turn off' }));
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ enabled: false }));
  await user.click((await screen.findAllByRole('button', { name: 'Delete…' }))[0]!);
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'DELETE', path: '/v0/orgs/org/routes/a' }));
});

it('shows where the newest documents go by the routes that are saved', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: /Show where/ }));
  expect(await screen.findByText('would have a route.', { exact: false })).toBeTruthy();
  expect(sent.at(-1)?.body).toEqual({ max_documents: 100 });
});

it('an organization without routes is told what they are for', async () => {
  routes = [];
  open();
  expect(await screen.findByText('No routes yet')).toBeTruthy();
});

it('asks before it replaces what somebody else has made a route do', async () => {
  const user = open();
  await user.click((await screen.findAllByRole('button', { name: 'Edit' }))[0]!);
  await user.click(screen.getByLabelText('Invoice'));
  routes = [route('a', 'Invoices', { then: { tag_ids: ['t', 'u'] }, when: { source_id: 's' } }), routes[1]!];
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('what it does');
  expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([]);
});
