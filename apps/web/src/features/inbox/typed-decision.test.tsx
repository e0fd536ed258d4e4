import type { Approval } from '@docwright/contract';
import { EditorView } from '@codemirror/view';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { stubEvents } from '../../shared/testing/stub-events.ts';
import { InboxPage } from './inbox-page.tsx';

const approval = {
  turn_id: 't',
  call_id: 'c',
  group: 'g',
  tool: 'update_document',
  arguments: '{"document_name":"a.txt"}',
  effect: 'read_write',
  summary: 'Change this document’s name',
  document_id: 'd',
  document_name: null,
  thread_id: 'h',
  requested_by: 'u',
  waiting_since: '2026-11-01T00:00:00Z',
  expires_at: '2099-11-01T00:00:00Z',
} as unknown as Approval;

const parameters = { type: 'object', properties: { document_name: { type: 'string' } } };
let waiting: Approval[];
let sent: unknown[];
let sendEvent: () => void;
let isServerThere: boolean;

beforeEach(() => {
  waiting = [approval];
  sent = [];
  sendEvent = stubEvents();
  isServerThere = true;
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (path.includes('/decide')) {
      if (!isServerThere) throw new TypeError('Failed to fetch');
      sent.push(JSON.parse(body as string));
      const outcomes = [{ turn_id: 't', call_id: 'c', status: 'conflict', message: 'Another user just decided it.' }];
      return new Response(`event: done\ndata: ${JSON.stringify({ type: 'done', outcomes })}\n\n`);
    }
    if (path.includes('/tools')) return Response.json({ tools: [{ name: approval.tool, parameters }] });
    return Response.json({
      approvals: waiting,
      total_count: waiting.length,
      total_groups: waiting.length,
      members: [],
    });
  });
});
afterEach(() => void vi.unstubAllGlobals());

async function openInbox() {
  renderPage({ '/inbox': <InboxPage /> });
  return await screen.findByRole('button', { name: /^Reject…/u });
}

/** Another tab decides what is shown. */
async function decideElsewhere(): Promise<void> {
  waiting = [];
  act(() => sendEvent());
  await screen.findByText(/This was decided elsewhere/u);
}

it('keeps a reason that the user types when another tab decides, and sends nothing', async () => {
  await userEvent.click(await openInbox());
  const reason = screen.getByLabelText<HTMLTextAreaElement>('Why? The agent reads it.');
  await userEvent.type(reason, 'The name is a customer’s.');
  await decideElsewhere();
  expect(screen.getByLabelText('Why? The agent reads it.')).toBe(reason);
  expect(reason.value).toBe('The name is a customer’s.');
  await userEvent.click(screen.getByRole('button', { name: /^Reject/u }));
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: /^Cancel/u }));
  await screen.findByText('Nothing waits for you');
});

it('keeps arguments that the user edits when another tab decides', async () => {
  await openInbox();
  await userEvent.click(screen.getByRole('button', { name: /^Edit/u }));
  const editor = await screen.findByRole('textbox', { name: 'Arguments' });
  await decideElsewhere();
  expect(screen.getByRole('textbox', { name: 'Arguments' })).toBe(editor);
  await userEvent.click(screen.getByRole('button', { name: 'Approve with changes' }));
  expect(sent).toEqual([]);
});

it('shows what the user has typed if another tab decides at the same moment', async () => {
  await userEvent.click(await openInbox());
  await userEvent.type(screen.getByLabelText('Why? The agent reads it.'), 'Keep it.');
  waiting = [];
  await userEvent.click(screen.getByRole('button', { name: /^Reject/u }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await screen.findByText(/Another user just decided it/u);
  expect(screen.getByText('Keep it.')).toBeTruthy();
});

it('keeps a reason that could not be sent, and sends it when the server is there again', async () => {
  await userEvent.click(await openInbox());
  await userEvent.type(screen.getByLabelText('Why? The agent reads it.'), 'Keep it.');
  isServerThere = false;
  await userEvent.click(screen.getByRole('button', { name: /^Reject/u }));
  const reason = await screen.findByLabelText<HTMLTextAreaElement>('Why? The agent reads it.');
  expect(reason.value).toBe('Keep it.');
  isServerThere = true;
  await userEvent.click(screen.getByRole('button', { name: /^Reject/u }));
  await waitFor(() => expect(sent).toMatchObject([{ decisions: [{ reason: 'Keep it.' }] }]));
});

it('keeps edited arguments that could not be sent', async () => {
  await openInbox();
  await userEvent.click(screen.getByRole('button', { name: /^Edit/u }));
  const editor = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Arguments' }))!;
  const to = editor.state.doc.length;
  act(() => editor.dispatch({ changes: { from: 0, to, insert: '{"document_name":"b.txt"}' } }));
  isServerThere = false;
  await userEvent.click(screen.getByRole('button', { name: 'Approve with changes' }));
  await screen.findByText(/The server did not answer/u);
  expect((await screen.findByRole('textbox', { name: 'Arguments' })).textContent).toContain('b.txt');
});

const other: Approval = { ...approval, turn_id: 'u', call_id: 'o', group: 'h', summary: 'Delete a tag' };

it('decides on what is shown when another decision comes before it', async () => {
  await openInbox();
  waiting = [other, approval];
  act(() => sendEvent());
  await screen.findByText('Delete a tag');
  await userEvent.keyboard('y');
  await waitFor(() => expect(sent).toMatchObject([{ decisions: [{ call_id: 'c' }] }]));
});

it('shows no other decision in place of one that somebody else has decided until the user goes on', async () => {
  waiting = [approval, other];
  await openInbox();
  await decideElsewhereThan(other);
  await userEvent.keyboard('y');
  expect(screen.getByRole('heading', { name: approval.summary })).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Next decision' }));
  await screen.findByRole('heading', { name: 'Delete a tag' });
  await userEvent.keyboard('y');
  await waitFor(() => expect(sent).toMatchObject([{ decisions: [{ call_id: 'o' }] }]));
});

async function decideElsewhereThan(left: Approval): Promise<void> {
  waiting = [left];
  act(() => sendEvent());
  await screen.findByText(/This was decided elsewhere/u);
}
