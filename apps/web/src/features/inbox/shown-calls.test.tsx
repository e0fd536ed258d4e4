import type { Approval } from '@docwright/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readInboxSearch } from '../../shared/addresses/inbox-search.ts';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { stubEvents } from '../../shared/testing/stub-events.ts';
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
let sendEvent: () => void;
/** What a request waits for before it is answered. */
let before: (path: string) => Promise<void> | undefined;

beforeEach(() => {
  before = () => undefined;
  decided = [];
  sendEvent = stubEvents();
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    await before(path);
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
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(HTMLElement.prototype, 'offsetParent');
});

function listed(query: URLSearchParams) {
  const group = query.get('group');
  const tool = query.get('tool');
  const isSought = (call: Approval) => (group ?? call.group) === call.group && (tool ?? call.tool) === call.tool;
  const calls = waiting.filter(isSought);
  const groups = [...Map.groupBy(calls, (call) => call.group).values()];
  const all = query.get('by') === 'group' ? groups.map((of) => ({ ...of[0], group_size: of.length })) : calls;
  const skip = Number(query.get('skip') ?? 0);
  const approvals = all.slice(skip, skip + Number(query.get('limit') ?? 100));
  return { approvals, total_count: calls.length, total_groups: groups.length };
}

async function openInbox(...calls: Approval[]) {
  waiting = calls;
  const router = renderPage({ '/inbox': <InboxPage /> }, { search: { '/inbox': readInboxSearch } });
  await screen.findByRole('button', { name: /^Approve/u });
  return (tool: string) => act(() => router.navigate({ to: '/inbox', search: { tool } } as never));
}

async function typeReason(): Promise<HTMLTextAreaElement> {
  await userEvent.keyboard('n');
  const reason = screen.getByLabelText<HTMLTextAreaElement>('Why? The agent reads it.');
  await userEvent.type(reason, 'Keep it.');
  return reason;
}

/** Others decide or ask, so that these calls wait. */
function nowWait(...calls: Approval[]): void {
  waiting = calls;
  act(() => sendEvent());
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
  await typeReason();
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
  await screen.findByRole('heading', { name: 'Delete documents of 0.' });
  expect(screen.getByRole('button', { name: /^Approve/u })).toBeTruthy();
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

it('leaves what the user types on the next decision alone when the one before has been sent', async () => {
  // Where nothing is laid out, every element counts as visible.
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', { configurable: true, value: document.body });
  const sending = Promise.withResolvers<void>();
  await openInbox(deletion('X'), other);
  before = (path) => (path.includes('/decide') ? sending.promise : undefined);
  await userEvent.keyboard('y');
  await userEvent.keyboard('j');
  await screen.findByRole('heading', { name: 'Delete documents of h' });
  const reason = await typeReason();
  sending.resolve();
  await screen.findByRole('button', { name: 'Close this message' });
  nowWait();
  await screen.findByText(/nothing can be sent any more/u);
  expect(reason.isConnected).toBe(true);
  expect(document.activeElement).toBe(reason);
});

it('keeps what the user types when a link changes the filter, and can send it', async () => {
  const filterBy = await openInbox(deletion('X'), deletion('Y'), other);
  await checkbox('Y');
  const reason = await typeReason();
  const loading = Promise.withResolvers<void>();
  before = (path) => (path.includes('tool=') ? loading.promise : undefined);
  await filterBy('update_document');
  expect(reason.isConnected).toBe(true);
  loading.resolve();
  await waitFor(() => expect(screen.queryByRole('button', { name: /Delete documents of h/u })).toBeNull());
  expect(reason.isConnected).toBe(true);
  expect(screen.queryByText(/decided elsewhere/u)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Reject 2/u }));
  await waitFor(() => expect(decided).toEqual(['X', 'Y']));
  await screen.findByText('Nothing waits here');
});

it('shows the first page of another filter, and does not say of a decision outside it that it has ended', async () => {
  const filterBy = await openInbox(...many, { ...next, tool: 'update_document' });
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('heading', { name: 'Delete documents of 100.' });
  await filterBy('update_document');
  await screen.findByRole('heading', { name: 'Delete documents of i' });
  expect(screen.queryByText(/decided elsewhere/u)).toBeNull();
});

it('goes to the page before when others empty the last one, and says what has become of the shown decision', async () => {
  await openInbox(...many);
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('heading', { name: 'Delete documents of 100.' });
  nowWait(...many.slice(0, 100));
  await screen.findByText(/This was decided elsewhere/u);
  await userEvent.click(screen.getByRole('button', { name: 'Next decision' }));
  await userEvent.keyboard('y');
  await waitFor(() => expect(decided).toEqual(['D0']));
});

it('asks the user to tick calls when none is chosen, and says of none that it has ended', async () => {
  await openInbox(deletion('X'), deletion('Y'));
  await checkbox('X');
  await typeReason();
  await userEvent.click(screen.getByRole('checkbox', { name: 'All documents' }));
  await screen.findByText('Tick those to decide on.');
  expect(screen.queryByText(/decided elsewhere/u)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Cancel/u }));
  await screen.findByText('Tick those to decide on.');
  await userEvent.click(await checkbox('Y'));
  expect(screen.queryByText('Tick those to decide on.')).toBeNull();
});

it('offers no decision on a group that left the page while nobody can say whether it waits', async () => {
  await openInbox(...many);
  before = (path) => (path.includes('group=') ? Promise.reject(new TypeError('Failed to fetch')) : undefined);
  nowWait(...many.slice(1), next, many[0]!);
  await screen.findByText(/not known whether this still waits/u);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByText(/decided elsewhere/u)).toBeNull();
  await userEvent.keyboard('y');
  expect(screen.queryByRole('button', { name: /^Approve/u })).toBeNull();
  expect(decided).toEqual([]);
  before = () => undefined;
  await userEvent.click(retry);
  await screen.findByRole('button', { name: /^Approve/u });
});

it('shows no other decision in place of one that the user stops typing on after a link changed the filter', async () => {
  const filterBy = await openInbox(deletion('X'), { ...next, tool: 'update_document' });
  await typeReason();
  await filterBy('update_document');
  await screen.findByText('1 decision waits for you');
  await userEvent.click(screen.getByRole('button', { name: /^Cancel/u }));
  await screen.findByRole('button', { name: /^Approve/u });
  await userEvent.keyboard('y');
  await screen.findByRole('heading', { name: 'Delete documents of i' });
  expect(decided).toEqual(['X']);
});
