import type { Role, Webhook, WebhookDelivery } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

const hook = {
  id: 'h',
  url: 'https://example.com/hook',
  types: ['result.released'],
  include_result: true,
  enabled: true,
  ordered: false,
  keep_answers: false,
  created_by: 'u',
  created_at: '2026-11-01T00:00:00Z',
} as Webhook;
const delivery: WebhookDelivery = {
  id: 'd',
  event_id: 'evt_1',
  seq: 1,
  type: 'result.released',
  state: 'pending',
  tries: 3,
  status: 500,
  error: 'The receiver answered 500.',
  seconds: 0.25,
  next_try_at: '2026-11-01T00:00:00Z',
  created_at: '2026-11-01T00:00:00Z',
};

let webhooks: Webhook[];
let sent: { method: string; path: string; body: unknown }[];
beforeEach(() => {
  webhooks = [hook];
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method !== 'GET') sent.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (path.endsWith('/rotate')) return Response.json({ secret: 'whsec_new', old_secret_until: hook.created_at });
    if (path.endsWith('/test')) return Response.json({ succeeded: true, status: 200, seconds: 0.1 });
    if (path.includes('/deliveries?')) return Response.json({ deliveries: [delivery], total_count: 1 });
    if (method === 'POST' && path.endsWith('/webhooks')) return Response.json({ ...hook, secret: 'whsec_once' });
    if (path.includes('/webhooks')) return Response.json({ ...hook, webhooks, total_count: webhooks.length });
    return Response.json({ tags: [], prompts: [], members: [], total_count: 0 });
  });
});
afterEach(() => void vi.unstubAllGlobals());

function open(role: Role = 'admin') {
  renderPage({ '/': <WebhookSettings /> }, { organization: { role } });
  return userEvent.setup();
}

it('adds a webhook and shows its secret once', async () => {
  webhooks = [];
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Add a webhook' }));
  await user.type(screen.getByLabelText('Address'), 'https://example.com/hook');
  await user.click(screen.getByLabelText('A call waits for approval'));
  await user.click(screen.getByText('More options'));
  await user.type(screen.getByLabelText('Headers'), 'nothing');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  await user.type(screen.getByLabelText('Headers'), ': here');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('whsec_once')).toBeTruthy();
  expect(sent[0]?.body).toMatchObject({
    url: 'https://example.com/hook',
    types: ['result.released', 'approval.waiting'],
    include_result: true,
    headers: { nothing: 'here' },
  });
});

it('tests, pauses, makes a new secret, and deletes after asking', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Send a test' }));
  expect(await screen.findByText('The receiver answered 200 after 0.1 s.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PATCH', body: { enabled: false } }));
  await user.click(screen.getByRole('button', { name: 'New secret…' }));
  await user.click(screen.getByRole('button', { name: 'Make a new secret' }));
  expect(await screen.findByText('whsec_new')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Delete…' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'DELETE' }));
});

it('lists deliveries with their state, and sends one or all that failed again', async () => {
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Deliveries' }));
  const table = await screen.findByRole('table', { name: 'Deliveries' });
  expect(await within(table).findByText('The receiver answered 500.')).toBeTruthy();
  expect(within(table).getByText(/^Again/)).toBeTruthy();
  await user.click(within(table).getByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(sent.at(-1)?.path).toMatch(/deliveries\/d\/redeliver$/));
  await user.click(screen.getByRole('button', { name: 'Retry all that failed' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ body: { failed: true } }));
});

it('says which webhooks fail or are disabled, and tells members who manages them', async () => {
  webhooks = [
    { ...hook, failing_since: '2026-11-20T00:00:00Z' },
    { ...hook, id: 'i', url: 'https://gone.example.com', enabled: false, disabled_because: 'failing' },
  ];
  open();
  expect((await screen.findByRole('alert')).textContent).toContain('https://gone.example.com: No try has succeeded');
  expect(screen.getByText('Failing')).toBeTruthy();
  open('member');
  expect(await screen.findByText(/Admins manage the webhooks/)).toBeTruthy();
});
