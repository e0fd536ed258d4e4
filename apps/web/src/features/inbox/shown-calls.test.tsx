import type { Approval } from '@docwright/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { InboxPage } from './inbox-page.tsx';

/** A call that deletes the document `name`; calls of one group are alike. */
const deletion = (name: string, group = 'g'): Approval =>
  ({
    turn_id: `turn-${name}`,
    call_id: name,
    group,
    tool: 'delete_document',
    arguments: '{}',
    effect: 'read_write',
    summary: `Delete documents of ${group}`,
    document_id: name,
    document_name: name,
    thread_id: 'h',
    requested_by: 'u',
    waiting_since: '2026-11-01T00:00:00Z',
    expires_at: '2099-11-01T00:00:00Z',
  }) as unknown as Approval;

let waiting: Approval[];
let decided: string[];
let listeners: (() => void)[];

beforeEach(() => {
  decided = [];
  listeners = [];
  class Events {
    static readonly CLOSED = 2;
    addEventListener(_type: string, listener: (event: { data: string }) => void): void {
      listeners.push(() => listener({ data: '{}' }));
    }
    close(): void {}
  }
  vi.stubGlobal('EventSource', Events);
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (path.includes('/decide')) {
      const { decisions } = JSON.parse(body as string) as { decisions: Approval[] };
      const ids = decisions.map(({ call_id }) => call_id);
      decided.push(...ids);
      waiting = waiting.filter(({ call_id }) => !ids.includes(call_id));
      const outcomes = decisions.map(({ turn_id, call_id }) => ({ turn_id, call_id, status: 'decided' }));
      return new Response(`event: done\ndata: ${JSON.stringify({ type: 'done', outcomes })}\n\n`);
    }
    if (!path.includes('/approvals')) return new Response('', { status: 404 });
    return Response.json(listed(new URL(path, 'http://server').searchParams));
  });
});
afterEach(() => void vi.unstubAllGlobals());

function listed(query: URLSearchParams) {
  const group = query.get('group');
  const calls = waiting.filter((call) => group === null || call.group === group);
  const groups = [...Map.groupBy(calls, (call) => call.group).values()];
  const all = query.get('by') === 'group' ? groups.map((of) => ({ ...of[0], group_size: of.length })) : calls;
  const skip = Number(query.get('skip') ?? 0);
  const approvals = all.slice(skip, skip + Number(query.get('limit') ?? 100));
  return { approvals, total_count: calls.length, total_groups: groups.length };
}

async function openInbox(...calls: Approval[]): Promise<void> {
  waiting = calls;
  renderPage({ '/inbox': <InboxPage /> });
  await screen.findByRole('button', { name: /^Approve/u });
}

/** Others decide or ask, so that these calls wait. */
function nowWait(...calls: Approval[]): void {
  waiting = calls;
  act(() => listeners.forEach((listener) => listener()));
}

const checkbox = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Decide on ${name}` });

it('does not decide on a similar call that took the place of the shown one until the user says so', async () => {
  await openInbox(deletion('X'));
  nowWait(deletion('Y'));
  const goOn = await screen.findByRole('button', { name: 'Decide on this one' });
  await userEvent.keyboard('y');
  expect(screen.queryByRole('button', { name: /^Approve/u })).toBeNull();
  expect(decided).toEqual([]);
  await userEvent.click(goOn);
  await userEvent.click(screen.getByRole('button', { name: /^Approve/u }));
  await waitFor(() => expect(decided).toEqual(['Y']));
});

it('says that a reason cannot be sent any more when a similar call took the place of the shown one', async () => {
  await openInbox(deletion('X'));
  await userEvent.keyboard('n');
  await userEvent.type(screen.getByLabelText('Why? The agent reads it.'), 'Keep it.');
  nowWait(deletion('Y'));
  await screen.findByText(/nothing can be sent any more/u);
  await userEvent.click(screen.getByRole('button', { name: /^Reject/u }));
  expect(decided).toEqual([]);
});

it('shows a similar call that came later unticked, and decides without it', async () => {
  await openInbox(deletion('X'));
  nowWait(deletion('X'), deletion('Y'));
  expect((await checkbox('Y')).checked).toBe(false);
  expect((await checkbox('X')).checked).toBe(true);
  await userEvent.keyboard('y');
  await screen.findByRole('button', { name: 'Decide on this one' });
  expect(decided).toEqual(['X']);
});

it('decides on all calls that it showed first, except those that the user unticks', async () => {
  await openInbox(deletion('X'), deletion('Y'), deletion('Z'));
  await userEvent.click(await checkbox('Y'));
  await userEvent.keyboard('y');
  await waitFor(() => expect(decided).toEqual(['X', 'Z']));
});

const other = deletion('O', 'h');
const next = deletion('P', 'i');

it('shows no other decision in place of a group of which the user left a call undecided', async () => {
  await openInbox(deletion('X'), deletion('Y'), other);
  await userEvent.click(await checkbox('Y'));
  await userEvent.keyboard('y');
  await screen.findByRole('button', { name: 'Decide on this one' });
  nowWait(other);
  await screen.findByText(/This was decided elsewhere/u);
  await userEvent.keyboard('y');
  expect(decided).toEqual(['X']);
});

it('stays on the shown decision when a call like the one decided before comes again', async () => {
  await openInbox(deletion('X'), other);
  await userEvent.keyboard('y');
  await screen.findByRole('heading', { name: 'Delete documents of h' });
  nowWait(deletion('Y'), other);
  await screen.findByRole('button', { name: /Delete documents of g/u });
  await userEvent.keyboard('y');
  await waitFor(() => expect(decided).toEqual(['X', 'O']));
});

const many = Array.from({ length: 101 }, (_, at) => deletion(`D${at}`, `${at}.`));

it('says of no group that it was decided elsewhere because the user turned the page', async () => {
  await openInbox(...many);
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('heading', { name: 'Delete documents of 100.' });
  expect(screen.queryByText(/This was decided elsewhere/u)).toBeNull();
  await userEvent.keyboard('y');
  await waitFor(() => expect(decided).toEqual(['D100']));
});

it('lets the user decide on a group that has moved to another page', async () => {
  await openInbox(...many);
  nowWait(...many.slice(1), next, many[0]!);
  await screen.findByText('1–100 of 102');
  await screen.findByRole('button', { name: /^Approve/u });
  expect(screen.queryByText(/This was decided elsewhere/u)).toBeNull();
  await userEvent.keyboard('y');
  await waitFor(() => expect(decided).toEqual(['D0']));
});

it('forgets a group that was decided elsewhere when nothing is left', async () => {
  await openInbox(deletion('X'));
  nowWait();
  await screen.findByText('Nothing waits for you');
  nowWait(other);
  await screen.findByRole('heading', { name: 'Delete documents of h' });
  expect(screen.getByRole('button', { name: /^Approve/u })).toBeTruthy();
});
