import type { Me, ReviewItem } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionProvider } from '../../../shared/session/session.tsx';
import { ToastProvider } from '../../../shared/ui/toasts.tsx';
import { useDesk } from '../use-desk.ts';
import { useReview } from './use-review.ts';

const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;
const items = ['total', 'tax'].map(
  (path) =>
    ({
      document_id: 'd',
      prompt_revid: 'p',
      path,
      version: 1,
      value: path === 'total' ? '110.00' : null,
      reasons: ['not_found'],
    }) as unknown as ReviewItem,
);

let sent: { path: string; action: string; value?: unknown }[];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: { body?: string } = {}) => {
    if (body === undefined) return Response.json({ items, values: 2, documents: 1 });
    const { decisions } = JSON.parse(body) as { decisions: typeof sent };
    sent.push(...decisions.map(({ path, action, value }) => ({ path, action, value })));
    return Response.json({ outcomes: [{ status: 'decided', version: sent.length + 1, is_verified: sent.length > 2 }] });
  });
});

async function openReview() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useReview('o', {}), { wrapper });
  await waitFor(() => expect(result.current.groups[0]?.items).toHaveLength(2));
  return result;
}

it.each([
  ['a correction', items[0]!, { action: 'correct' as const, value: '120.00' }, { action: 'correct', value: '110.00' }],
  ['a value for an empty field', items[1]!, { action: 'correct' as const, value: '5' }, { action: 'clear' }],
  ['an emptied field', items[0]!, { action: 'clear' as const }, { action: 'correct', value: '110.00' }],
])('reopens %s with the value that its reason is about', async (_what, item, decision, restored) => {
  const review = await openReview();
  act(() => review.current.decide({ item, ...decision }));
  const [decided] = review.current.decidedHere;
  act(() => review.current.reopen(decided!));
  expect(review.current.groups[0]!.items[0]).toEqual(item);
  await act(async () => await review.current.settled());
  expect(sent.map(({ path: _path, ...rest }) => rest)).toEqual([
    { value: undefined, ...decision },
    { value: undefined, ...restored },
  ]);
});

it('stays at a document that is partly decided while riskier ones take its place in the queue', async () => {
  const review = await openReview();
  act(() => review.current.decide({ item: items[0]!, action: 'confirm' }));
  await act(async () => await review.current.settled());
  const riskier = { ...items[0]!, document_id: 'riskier' };
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json({ items: path.includes('document_id=d') ? [items[1]] : [riskier], values: 2, documents: 2 }),
  );
  await act(async () => void (await review.current.queue.refetch()));
  await waitFor(() => expect(review.current.groups).toHaveLength(2));
  expect(review.current.groups.map(({ items: open }) => open)).toEqual([[items[1]], [riskier]]);
});

it('reopens a confirmed value without writing it again', async () => {
  const review = await openReview();
  act(() => review.current.decide({ item: items[0]!, action: 'confirm' }));
  act(() => review.current.reopen(review.current.decidedHere[0]!));
  await act(async () => await review.current.settled());
  expect(sent).toHaveLength(1);
  expect(review.current.groups[0]!.items[0]).toEqual(items[0]);
});

it('reads the queue again when the page is opened again: new values may have come, or a document was verified elsewhere', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  let queue: ReviewItem[] = [];
  vi.stubGlobal('fetch', async () => Response.json({ items: queue, values: queue.length, documents: 1 }));
  const first = renderHook(() => useReview('o', {}), { wrapper });
  await waitFor(() => expect(first.result.current.queue.data?.items).toEqual([]));
  first.unmount();
  queue = items;
  await new Promise((resolve) => setTimeout(resolve));
  const second = renderHook(() => useReview('o', {}), { wrapper });
  expect(second.result.current.queue.data).toBeUndefined();
  await waitFor(() => expect(second.result.current.groups[0]?.items).toHaveLength(2));
});

describe('a document that somebody else changes meanwhile', () => {
  const bodies: { version?: number; base_version?: number; path?: string }[] = [];
  beforeEach(() => {
    bodies.length = 0;
    vi.stubGlobal('fetch', async (_path: string, { body }: { body?: string } = {}) => {
      if (body === undefined) return Response.json({ items, values: 2, documents: 1 });
      const sentBody = JSON.parse(body) as { decisions?: [(typeof bodies)[0]] } & (typeof bodies)[0];
      const one = sentBody.decisions?.[0] ?? sentBody;
      bodies.push(one);
      if (sentBody.decisions === undefined)
        return Response.json({ error: { code: 'version_conflict', message: 'Newer.' } }, { status: 409 });
      return Response.json({
        outcomes: [{ path: one.path, status: one.version === 7 ? 'decided' : 'conflict', version: 7 }],
      });
    });
  });

  it('refuses all decisions about what was shown before, not only the first', async () => {
    const review = await openReview();
    act(() => {
      review.current.decide({ item: items[0]!, action: 'confirm' });
      review.current.decide({ item: items[1]!, action: 'correct', value: '5.00' });
    });
    await act(async () => await review.current.settled());
    expect(bodies.map(({ version }) => version)).toEqual([1, 1]);
    expect(review.current.problem).toMatch(/Someone else changed this document.*“5.00”/u);
    expect(review.current.groups[0]!.items).toHaveLength(2);
  });

  it('is not verified, and stays', async () => {
    const review = await openReview();
    act(() => review.current.verify(review.current.groups[0]!, ['total'], 1));
    await act(async () => await review.current.settled());
    expect(bodies).toEqual([{ is_verified: true, base_version: 1, seen_paths: ['total'] }]);
    expect(review.current.problem).toMatch(/Someone else changed this document/u);
    expect(review.current.groups[0]!.items).toHaveLength(2);
  });

  it('keeps the rows that were not saved', async () => {
    const review = await openReview();
    let wasSaved: boolean | undefined;
    await act(async () => {
      wasSaved = await review.current.decideRows({ ...items[0]!, path: 'rows' }, [{ a: 1 }], 1);
    });
    expect(wasSaved).toBe(false);
    expect(review.current.problem).toMatch(/Someone else changed this document/u);
  });
});

it('decides on the version that its own decisions have made', async () => {
  const versions: number[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: { body?: string } = {}) => {
    if (body === undefined) return Response.json({ items, values: 2, documents: 1 });
    const { decisions, base_version } = JSON.parse(body) as { decisions?: { version: number }[]; base_version: number };
    versions.push(decisions?.[0]?.version ?? base_version);
    return Response.json({ outcomes: [{ status: 'decided', version: versions.length + 1 }] });
  });
  const review = await openReview();
  act(() => {
    review.current.decide({ item: items[0]!, action: 'correct', value: '1' });
    review.current.decide({ item: items[1]!, action: 'correct', value: '2' });
    review.current.verify(review.current.groups[0]!, [], 1);
  });
  await act(async () => await review.current.settled());
  expect(versions).toEqual([1, 2, 3]);
});

it('stays at a document in which a value is being written after another one was decided, although somebody else has finished it', async () => {
  const review = await openReview();
  act(() => review.current.decide({ item: items[0]!, action: 'confirm' }));
  await act(async () => await review.current.settled());
  const [written] = review.current.groups;
  act(() => review.current.hold(written));
  vi.stubGlobal('fetch', async () => Response.json({ items: [], values: 0, documents: 0 }));
  await act(async () => void (await review.current.queue.refetch()));
  await waitFor(() => expect(review.current.queue.data?.items).toEqual([]));
  expect(review.current.groups).toEqual([written]);
  act(() => review.current.hold(undefined));
  expect(review.current.groups[0]?.items).toEqual([]);
});

it.each([
  ['the network fails', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server has an error', async () => Response.json({ error: { code: 'x', message: 'Broken.' } }, { status: 500 })],
  ['the value is refused', async () => Response.json({ outcomes: [{ status: 'refused', message: 'Not a number.' }] })],
])('names each typed value that is not saved when %s', async (_why, answer: () => Promise<Response>) => {
  const review = await openReview();
  const queue = { items, values: 2, documents: 1 };
  vi.stubGlobal('fetch', async (_path: string, { body }: { body?: string } = {}) =>
    body === undefined ? Response.json(queue) : await answer(),
  );
  act(() => {
    review.current.decide({ item: items[0]!, action: 'correct', value: '120.00' });
    review.current.decide({ item: items[1]!, action: 'correct', value: '5.00' });
  });
  await act(async () => await review.current.settled());
  expect(review.current.problem).toMatch(/Your “120\.00” and “5\.00” are not saved\./u);
  act(() => review.current.decide({ item: items[0]!, action: 'confirm' }));
  await act(async () => await review.current.settled());
  expect(review.current.problem).not.toContain('not saved');
});

it('stays at a document in which a value is being written, although somebody else has finished it', async () => {
  const review = await openReview();
  const [written] = review.current.groups;
  act(() => review.current.hold(written));
  const next = { ...items[0]!, document_id: 'next' };
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json({ items: path.includes('document_id=d') ? [] : [next], values: 1, documents: 1 }),
  );
  await act(async () => void (await review.current.queue.refetch()));
  await waitFor(() => expect(review.current.groups).toHaveLength(2));
  expect(review.current.groups[0]).toBe(written);
  act(() => review.current.hold(undefined));
  expect(review.current.groups.map(({ key }) => key)).toEqual(['next p']);
});

it('opens a table whose rows were changed before the page was loaded again, and confirms none of its values before', async () => {
  localStorage.setItem('docwright.value.review.d.p.rows@1', '[]');
  const extraction = { document_id: 'd', prompt_revid: 'p', version: 1, result: { rows: [{ a: '1' }] }, grounding: {} };
  vi.stubGlobal('fetch', async () => Response.json({ ...extraction, review: {} }));
  const item = { ...extraction, path: 'rows.0.a', value: '1' } as unknown as ReviewItem;
  const calls = { decide: vi.fn(), hold: vi.fn(), leave: vi.fn(), settled: async () => undefined };
  const groups = [{ key: 'd p', items: [item], about: item }];
  const review = { decidedHere: [], groups, isOwnChange: () => false, ...calls };
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  const { result: desk } = renderHook(() => useDesk(review as unknown as ReturnType<typeof useReview>), {
    wrapper,
  });
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  act(() => desk.current.actions.byKey['enter']!());
  await waitFor(() => expect(desk.current.open).toMatchObject({ kind: 'table', path: 'rows' }));
  expect(calls.decide).not.toHaveBeenCalled();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('asks before the page is closed while decisions are stored, and says on another page what was not', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let review: ReturnType<typeof useReview> | undefined;
  function Review() {
    review = useReview('o', {});
    return null;
  }
  const app = (isOpen: boolean) => (
    <QueryClientProvider client={client}>
      <ToastProvider>{isOpen && <Review />}</ToastProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(app(true));
  await waitFor(() => expect(review?.groups).toHaveLength(1));
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async () => answer.promise);
  const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(closes()).toBe(true);
  act(() => review?.decide({ item: items[0]!, action: 'correct', value: '120.00' }));
  expect(closes()).toBe(false);
  rerender(app(false));
  expect(closes()).toBe(false);
  await act(async () => answer.reject(new TypeError('Failed to fetch')));
  expect(screen.getByText(/Your “120.00” is not saved/u)).toBeTruthy();
  expect(closes()).toBe(true);
});
