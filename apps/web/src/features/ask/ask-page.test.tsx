import type { Citation, Claim, Thread, TurnAnswer, TurnEvent } from '@docwright/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { readAskSearch } from '../../shared/addresses/ask-search.ts';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { AskPage } from './ask-page.tsx';

/** A letter in front: the router reads an id of digits alone as a number. */
const id = (digit: string) => `a${digit.repeat(23)}`;

const sum: Citation = {
  id: 'a1',
  kind: 'aggregate',
  op: 'sum',
  path: 'total',
  value: 1200.5,
  currency: 'EUR',
  cell_count: 2,
};
const cell: Citation = {
  id: 'c1',
  kind: 'cell',
  document_id: id('d'),
  path: 'total',
  value: 700.5,
  page_num: 2,
  quote: '700.50',
};
const text = 'The total is 1,200.50 EUR [[a1]]. The largest is 900 EUR [[c1]].';
const split = text.indexOf(' The largest');
const claims: Claim[] = [
  { text: text.slice(0, split), from: 0, to: split, support: 'supported', citations: [sum] },
  {
    text: text.slice(split + 1),
    from: split + 1,
    to: text.length,
    support: 'unsupported',
    citations: [cell],
    why: '900 is not in what is cited.',
  },
];
const coverage = {
  documents: 5,
  with_result: 4,
  with_value: 3,
  without_value: [id('e'), id('f')],
  at_risk: 0,
  incomplete: 0,
  unread: 1,
  hidden: 1,
};
const answer = {
  thread_id: id('1'),
  turn_id: id('2'),
  status: 'completed',
  text,
  claims,
  coverage,
  executed_rounds: [],
  tool_calls: [],
  usage: { prompt_tokens: 1, completion_tokens: 1, spu: 0, estimated: false },
} as unknown as TurnAnswer;

/** A turn that is corrected once before it is checked. */
const events: TurnEvent[] = [
  { type: 'turn_started', turn_id: id('2'), thread_id: id('1'), model: 'm' },
  { type: 'assistant_text_chunk', chunk: 'A first answer [[a' },
  { type: 'assistant_text_done', full_text: 'A first answer [[a9]].' },
  { type: 'assistant_text_chunk', chunk: text },
  { type: 'assistant_text_done', full_text: text },
  { type: 'claims', claims, coverage },
  { type: 'done', result: answer },
];

const thread = {
  id: id('1'),
  title: 'What did we pay?',
  created_at: '2026-11-27T10:00:00Z',
  updated_at: '2026-11-27T10:00:00Z',
  model: 'm',
  working_state: { schema_revid: null, prompt_revid: null, extraction: null },
  messages: [
    {
      id: id('3'),
      role: 'user',
      content: 'What did we pay?',
      scope: { from: '2026-01-01' },
      created_at: '2026-11-27T10:00:00Z',
    },
    { id: id('4'), role: 'assistant', content: text, claims, coverage, created_at: '2026-11-27T10:00:00Z' },
  ],
} as unknown as Thread;

let asked: { body: Record<string, unknown>; path: string }[];

let isWide = true;
const listeners = new Set<() => void>();

beforeEach(() => {
  asked = [];
  isWide = true;
  vi.stubGlobal('matchMedia', (media: string) => ({
    get matches() {
      return media.includes('1024') && isWide;
    },
    addEventListener: (_: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => void listeners.delete(listener),
  }));
  vi.stubGlobal('fetch', async (path: string, { body, method }: { body?: string; method?: string } = {}) => {
    if (path.endsWith('/ask') && method === 'POST') {
      asked.push({ path, body: JSON.parse(body ?? '{}') as Record<string, unknown> });
      const frames = events.map(
        (event, at) => `id: ${at + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
    }
    if (path.includes('/rows')) {
      asked.push({ path, body: {} });
      const cells = [{ id: 'c1', path: 'total', value: 700.5, currency: 'EUR', page_num: 2 }];
      return Response.json({
        columns: ['total'],
        total_count: 1,
        rows: [{ document_id: id('d'), document_name: 'invoice-1.pdf', cells }],
      });
    }
    if (path.endsWith('/latest_turn')) return Response.json({ latest_turn: null });
    if (path.includes(`/ask/threads/${id('1')}`)) return Response.json(thread);
    if (path.includes('/threads')) return Response.json({ threads: [], total_count: 0, skip: 0, limit: 1 });
    if (path.includes('/text')) {
      return Response.json({
        pages: [
          { page_num: 1, text: 'Page 1' },
          { page_num: 2, text: 'Total 700.50 EUR' },
        ],
      });
    }
    if (path.includes('/pages')) return Response.json({ pages: [], text: '', words: [] });
    if (path.includes('/documents/')) {
      return Response.json({
        id: id('d'),
        document_name: 'invoice-1.txt',
        mime_type: 'text/plain',
        state: 'ocr_completed',
      });
    }
    return Response.json({ models: [], tags: [], prompts: [], schemas: [], collections: [], total_count: 0 });
  });
});

const openAsk = (address: string) =>
  renderPage({ '/ask': <AskPage /> }, { address, search: { '/ask': readAskSearch } });

it('asks about its scope, shows only the checked answer, and strikes what is unsupported', async () => {
  const router = openAsk(`/ask?tag=${id('b')}&from=2026-01-01`);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Message to the agent'), 'What did we pay?{Enter}');
  await screen.findByText(/1 of 2 checked sentences supported/u);
  expect(asked[0]?.body).toMatchObject({
    messages: [{ role: 'user', content: 'What did we pay?' }],
    scope: { tag_ids: [id('b')], from: '2026-01-01' },
  });
  const log = screen.getByRole('log');
  expect(log.textContent).not.toContain('A first answer');
  expect(log.textContent).not.toContain('[[');
  expect([...log.querySelectorAll('s')].map((part) => part.textContent).join('')).toContain('The largest is 900 EUR');
  expect(within(log).getByText(/Not supported: 900 is not in what is cited/u)).toBeTruthy();
  expect(
    within(log).getByText(/3 of 5 documents have the field · 1 without a result · 1 not read · 1 hidden/u),
  ).toBeTruthy();
  await waitFor(() => expect(router.state.location.search).toMatchObject({ thread: id('1'), tag: id('b') }));
});

it('resumes a stored answer, and leads from its citations to rows, places and missing documents', async () => {
  openAsk(`/ask?thread=${id('1')}`);
  const user = userEvent.setup();
  const sources = await screen.findByRole('region', { name: 'Sources' });
  await screen.findByText(/About: from/u);
  await user.click(screen.getByRole('button', { name: 'Source 1' }));
  const rows = await within(sources).findByRole('region', { name: 'Rows' });
  expect(asked[0]?.path).toContain(`/ask/threads/${id('1')}/rows/a1?question=0`);
  await user.click(await within(rows).findByRole('button', { name: 'invoice-1.pdf' }));
  expect(await within(sources).findByText('page 2')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Source 2' }));
  const place = await within(sources).findByRole('region', { name: /Place in invoice-1.txt/u });
  expect(within(place).getByRole('link', { name: 'Open' }).getAttribute('href')).toContain('page=2');
  await waitFor(() => expect(place.querySelector('[data-quote]')?.textContent).toBe('700.50'));
  await user.click(screen.getByRole('button', { name: 'Show what is missing' }));
  expect((await within(sources).findByRole('list', { name: 'Documents' })).querySelectorAll('a')).toHaveLength(2);
});

it('keeps a conversation that has just begun, and its open source, when the window becomes narrow', async () => {
  openAsk('/ask');
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Message to the agent'), 'What did we pay?{Enter}');
  await screen.findByText(/1 of 2 checked sentences supported/u);
  await user.click(screen.getByRole('button', { name: 'Source 2' }));
  await screen.findByRole('region', { name: /Place in invoice-1.txt/u });
  act(() => {
    isWide = false;
    for (const listener of listeners) listener();
  });
  await screen.findByRole('tab', { name: 'Sources' });
  expect(await screen.findByText(/1 of 2 checked sentences supported/u)).toBeTruthy();
  expect(screen.getByRole('region', { name: /Place in invoice-1.txt/u })).toBeTruthy();
});
