import type { Source, SourceSync } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { NewSourcePage, SourcePage } from './source-page.tsx';

const mailbox: Source = {
  id: 's',
  name: 'Invoices by mail',
  connector: {
    kind: 'imap',
    config: {
      host: 'mail.example.com',
      port: 993,
      tls: 'implicit',
      user: 'in@example.com',
      folder: 'INBOX',
      filter: {},
      parts: 'attachments',
      max_files: 50,
      max_mb: 50,
      afterwards: { do: 'leave' },
    },
    secret: '••••cret',
  },
  every: '15m',
  enabled: true,
  state: 'failing',
  document_count: 3,
  created_at: '2026-11-01T00:00:00Z',
  created_by: 'u',
};

let stored: Source;
let sync: SourceSync;
interface SentBody {
  connector?: { secret?: string };
}
let sent: { method: string; path: string; body: SentBody | undefined }[];
let problem: string | undefined;
let mayAnswer: Promise<void> | undefined;
beforeEach(() => {
  sent = [];
  problem = undefined;
  mayAnswer = undefined;
  stored = mailbox;
  sync = {
    state: 'failing',
    ended_at: '2026-11-01T00:00:00Z',
    next_at: new Date(Date.now() + 3_600_000).toISOString(),
    counts: { seen: 5, taken: 2, unchanged: 0, missing: 0, failed: 3 },
    errors: [{ file: 'big.pdf', code: 'file_too_large', message: 'Over the 50 MB limit.' }],
    error: { code: 'source_refused', message: 'The server refused the password.' },
  };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const json = typeof body === 'string' ? (JSON.parse(body) as SentBody) : undefined;
    if (method !== 'GET') sent.push({ method, path, body: json });
    if (path.endsWith('/test')) {
      if (problem !== undefined) {
        return Response.json({ error: { code: 'source_refused', message: problem } }, { status: 422 });
      }
      return Response.json({ files: [{ name: 'scan.pdf', size_bytes: 1_500 }], has_more: true });
    }
    if (path.endsWith('/sync')) return Response.json(sync);
    if (method === 'PATCH') await mayAnswer;
    if (method === 'POST' || method === 'PATCH') return Response.json({ ...mailbox, ...json, id: 's' });
    if (path.endsWith('/sources/s')) return Response.json(stored);
    return Response.json({ tags: [{ tag_id: 't', name: 'Invoice', color: '#dc2626' }], total_count: 1 });
  });
});
afterEach(() => void vi.unstubAllGlobals());

function open(address: string) {
  const pages = {
    '/setup/sources/new': <NewSourcePage />,
    '/setup/sources/$sourceId': <SourcePage />,
    '/setup/new': null,
  };
  const router = renderPage(pages, { address });
  return { user: userEvent.setup(), router };
}

it('makes a folder, after a test that says why it cannot be read', async () => {
  problem = 'The operator has not bound this folder to the organization.';
  const { user, router } = open('/setup/sources/new');
  await user.type(await screen.findByLabelText('Name'), 'Scanner');
  const test = screen.getByRole<HTMLButtonElement>('button', { name: 'Test the connection' });
  expect(test.disabled).toBe(true);
  await user.type(screen.getByLabelText('Folder'), '/inlet/a');
  await user.click(test);
  expect((await screen.findByRole('alert')).textContent).toContain('has not bound this folder');
  problem = undefined;
  await user.selectOptions(screen.getByLabelText('When a file is a document'), 'move_to');
  // Another connector than the one that was tested.
  expect(screen.queryByRole('alert')).toBeNull();
  await user.type(screen.getByLabelText('Move to'), 'done');
  await user.click(test);
  expect(await screen.findByText('scan.pdf')).toBeTruthy();
  await user.click(screen.getByLabelText('Invoice'));
  await user.click(screen.getByRole('button', { name: 'Add the source' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/setup/sources/s'));
  expect(sent.at(-1)).toMatchObject({
    method: 'POST',
    path: '/api/v2/sources',
    body: {
      name: 'Scanner',
      tag_ids: ['t'],
      connector: { kind: 'folder', config: { path: '/inlet/a', afterwards: { do: 'move_to', folder: 'done' } } },
    },
  });
});

it('makes a bucket and a mailbox with OAuth, whose secrets are typed once', async () => {
  const { user } = open('/setup/sources/new');
  await user.click(await screen.findByLabelText('Bucket (S3)'));
  await user.type(screen.getByLabelText('Name'), 'Bucket');
  await user.type(screen.getByLabelText('Endpoint'), 'https://s3.example.com');
  await user.type(screen.getByLabelText('Bucket'), 'docs');
  await user.type(screen.getByLabelText('Access key ID'), 'AK');
  await user.type(screen.getByLabelText('Secret access key'), 'top');
  await user.click(screen.getByRole('button', { name: 'Test the connection' }));
  await waitFor(() => expect(sent.at(-1)?.body?.connector).toMatchObject({ kind: 's3', secret: 'top' }));
  await user.click(screen.getByLabelText('Mailbox (IMAP)'));
  await user.selectOptions(screen.getByLabelText('Sign in with'), 'microsoft');
  expect(screen.getByLabelText<HTMLInputElement>('Host').value).toBe('outlook.office365.com');
  await user.type(screen.getByLabelText('User'), 'in@example.com');
  await user.type(screen.getByLabelText('Client ID'), 'program');
  // What was typed for the bucket is not sent to the mail server.
  expect(screen.getByLabelText<HTMLInputElement>('Refresh token').value).toBe('');
  await user.type(screen.getByLabelText('Refresh token'), 'refresh');
  await user.click(screen.getByRole('button', { name: 'Add the source' }));
  await waitFor(() =>
    expect(sent.at(-1)?.body?.connector).toMatchObject({
      kind: 'imap',
      secret: 'refresh',
      config: { oauth: { provider: 'microsoft', client_id: 'program' } },
    }),
  );
});

it('shows why a source fails and which files it could not take, and syncs now', async () => {
  const { user } = open('/setup/sources/s');
  expect(await screen.findByText(/The server refused the password/)).toBeTruthy();
  expect(screen.getByText('Failing, tried at growing pauses')).toBeTruthy();
  const errors = within(screen.getByRole('region', { name: 'Files that were not taken' }));
  expect(errors.getByText('big.pdf')).toBeTruthy();
  expect(errors.getByText('And 2 more.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Sync now' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'POST', path: '/api/v2/sources/s/sync' }));
});

it('changes a mailbox and keeps its secret, which is not shown', async () => {
  const { user } = open('/setup/sources/s');
  const password = await screen.findByLabelText<HTMLInputElement>('Password');
  expect([password.value, password.placeholder]).toEqual(['', 'Stored']);
  await user.type(screen.getByLabelText('Folder of the mailbox'), '/Bills');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PATCH', path: '/api/v2/sources/s' }));
  expect(sent.at(-1)?.body?.connector).toMatchObject({ config: { folder: 'INBOX/Bills' } });
  expect(sent.at(-1)?.body?.connector?.secret).toBeUndefined();
});

it('leaves what somebody else has changed while the form is open', async () => {
  const { user } = open('/setup/sources/s');
  await user.type(await screen.findByLabelText('Folder of the mailbox'), '/Bills');
  stored = { ...mailbox, name: 'Bills', tag_ids: ['t'], enabled: false, never_to_model: true };
  await user.click(screen.getByRole('button', { name: 'Sync now' }));
  await screen.findByRole('heading', { name: 'Bills' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PATCH' }));
  expect(Object.keys(sent.at(-1)?.body ?? {})).toEqual(['connector', 'seen']);
});

it('asks before it replaces what somebody else has saved in the same part', async () => {
  const { user } = open('/setup/sources/s');
  await user.click(await screen.findByLabelText('Invoice'));
  stored = { ...mailbox, tag_ids: ['u'], name: 'Bills' };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('tags');
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toMatchObject([{ method: 'PATCH', body: { tag_ids: ['t'] } }]));
});

it('keeps what is typed while it is saved', async () => {
  let answer = () => undefined as void;
  mayAnswer = new Promise((resolve) => (answer = resolve));
  const { user } = open('/setup/sources/s');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await user.type(name, ' and fax');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await user.type(screen.getByLabelText('Folder of the mailbox'), '/Bills');
  answer();
  await screen.findByRole('button', { name: 'Save' });
  expect(screen.getByLabelText<HTMLInputElement>('Folder of the mailbox').value).toBe('INBOX/Bills');
  expect(name.value).toBe('Invoices by mail and fax');
  stored = { ...mailbox, name: 'Invoices by mail and fax' };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(Object.keys(sent[1]?.body ?? {})).toEqual(['connector', 'seen']);
});

it('asks for the secret again for another host', async () => {
  const { user } = open('/setup/sources/s');
  await user.type(await screen.findByLabelText('Host'), '.org');
  expect(screen.getByText(/belongs to another host or user/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
});
