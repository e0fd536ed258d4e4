import type { Me, ReviewItem, Schema } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { SessionProvider } from '../../shared/session/session.tsx';
import { useDesk } from './use-desk.ts';
import type { useReview } from './queue/use-review.ts';

afterEach(() => void vi.unstubAllGlobals());

it('converts a picked date when the schema is loaded after the date was picked', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;
  const item = { document_id: 'd', prompt_revid: 'p', path: 'due', value: null } as unknown as ReviewItem;
  const groups = [{ key: 'd p', items: [item], about: item }];
  const review = { decidedHere: [], groups, hold: vi.fn() } as unknown as ReturnType<typeof useReview>;
  client.setQueryData(['review', 'o', 'extraction', 'd', 'p'], {
    result: {},
    schema_revid: 's',
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useDesk(review), { wrapper });
  act(() => result.current.pick.pickText('14 October 2026'));
  const schema = { properties: { due: { type: 'string', format: 'date' } } };
  act(() => {
    client.setQueryData(schemaQuery('o', 's').queryKey, {
      response_format: { json_schema: { schema } },
    } as unknown as Schema);
  });
  await waitFor(() => expect(result.current.editorText).toBe('2026-10-14'));
});

it('verifies after naming what was not looked at, and says which values were seen', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;
  const items = ['total', 'tax', 'due'].map(
    (path) => ({ document_id: 'd', prompt_revid: 'p', path, value: null, version: 1 }) as unknown as ReviewItem,
  );
  const verify = vi.fn<(group: unknown, seen: string[], version: number) => void>();
  const review = {
    decidedHere: [],
    groups: [{ key: 'd p', items, about: items[0] }],
    verify,
    leave: vi.fn(),
    hold: vi.fn(),
    isOwnChange: () => false,
  };
  const value = (to_check: boolean) => ({ risk: 0.5, reasons: [], state: 'open', to_check });
  client.setQueryData(['review', 'o', 'extraction', 'd', 'p'], {
    version: 1,
    result: {},
    review: { total: value(true), tax: value(true), due: value(true), seller: value(false) },
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useDesk(review as unknown as ReturnType<typeof useReview>), { wrapper });
  const press = (key: string) => act(() => result.current.actions.byKey[key]!());
  expect(result.current.rest).toEqual(['seller']);
  press('n');
  press('v');
  expect(verify).not.toHaveBeenCalled();
  expect(result.current.open).toEqual({ kind: 'verify' });
  expect(result.current.unseen.map(({ path }) => path)).toEqual(['due']);
  press('v');
  expect(verify).toHaveBeenCalledExactlyOnceWith(review.groups[0], ['total', 'tax'], 1);
  act(() => {
    result.current.seeRest();
  });
  press('n');
  press('v');
  expect(result.current.unseen).toEqual([]);
  press('v');
  expect(verify).toHaveBeenLastCalledWith(review.groups[0], ['total', 'tax', 'seller', 'due'], 1);
});

/** A desk whose result another user can change; `decide` and `decideRows` record what is sent. */
function openDesk(result: object, path: string) {
  const read = vi.fn<(version: number) => void>();
  let version = 1;
  vi.stubGlobal('fetch', async () => {
    read(version);
    return Response.json({ document_id: 'd', prompt_revid: 'p', version, result, review: {}, grounding: {} });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;
  const decide = vi.fn<(decision: { item: ReviewItem; value?: unknown }) => void>();
  const decideRows = vi.fn<(item: ReviewItem, rows: unknown) => Promise<boolean>>(async () => false);
  const verify = vi.fn<(group: unknown, seen: string[], version: number) => void>();
  const hold = vi.fn<(group: object | undefined) => void>();
  const settled = vi.fn<() => Promise<void>>(async () => undefined);
  const reviewAt = (value: string, document_id = 'd') => {
    const item = { document_id, prompt_revid: 'p', path, value, version } as unknown as ReviewItem;
    const groups = [{ key: `${document_id} p`, items: [item], about: item }];
    const calls = { decide, decideRows, verify, settled, hold, leave: vi.fn() };
    const more = { decidedHere: [], ...calls, isOwnChange: () => false };
    return { groups, ...more } as unknown as ReturnType<typeof useReview>;
  };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  const { result: desk, rerender } = renderHook((review) => useDesk(review), { wrapper, initialProps: reviewAt('1') });
  /** The queue is read again and has what another user wrote. */
  const changeByOthers = (value: string) => {
    version += 1;
    rerender(reviewAt(value));
  };
  /** Another document takes the place of the shown one. */
  const goToOther = () => rerender(reviewAt('1', 'other'));
  const press = (key: string) => act(() => desk.current.actions.byKey[key]!());
  return { desk, press, changeByOthers, goToOther, read, decide, decideRows, verify, hold, settled };
}

it('saves a value on what was shown when its editor was opened, so that no change of another user is replaced unseen', async () => {
  const { desk, press, changeByOthers, decide, hold } = openDesk({ total: '1' }, 'total');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  press('e');
  expect(hold.mock.lastCall).toMatchObject([{ key: 'd p' }]);
  changeByOthers('2');
  act(() => desk.current.saveValue('3'));
  expect(hold.mock.lastCall).toEqual([undefined]);
  expect(decide.mock.calls[0]![0]).toMatchObject({ value: '3', item: { value: '1', version: 1 } });
});

it('saves rows on those that were opened, and keeps them open if they were not saved', async () => {
  const { desk, press, changeByOthers, decideRows } = openDesk({ rows: [{ a: '1' }] }, 'rows.0.a');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  press('t');
  await waitFor(() => expect(desk.current.open?.kind).toBe('table'));
  changeByOthers('2');
  await act(async () => await desk.current.saveTable([{ a: '3' }], 1));
  expect(decideRows.mock.calls[0]).toMatchObject([{ path: 'rows', version: 1, value: [{ a: '1' }] }, [{ a: '3' }], 1]);
  expect(desk.current.open?.kind).toBe('table');
});

it.each([
  ['an editor was opened', 'editor', ({ press }: ReturnType<typeof openDesk>) => press('e')],
  ['another document is shown', undefined, ({ goToOther }: ReturnType<typeof openDesk>) => goToOther()],
])('opens no table after its rows were read if %s meanwhile', async (_name, kind, change) => {
  const opened = openDesk({ rows: [{ a: '1' }] }, 'rows.0.a');
  const { desk, press, read, hold, settled } = opened;
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  const written = Promise.withResolvers<void>();
  settled.mockReturnValueOnce(written.promise);
  press('t');
  change(opened);
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  const reads = read.mock.calls.length;
  const holds = hold.mock.calls.length;
  await act(async () => written.resolve());
  await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(reads));
  await act(async () => await new Promise((resolve) => setTimeout(resolve, 0)));
  expect(desk.current.open?.kind).toBe(kind);
  expect(hold).toHaveBeenCalledTimes(holds);
});

it('says that rows are being saved, and leaves open what the user has opened meanwhile', async () => {
  const { desk, press, goToOther, decideRows } = openDesk({ rows: [{ a: '1' }] }, 'rows.0.a');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  press('t');
  await waitFor(() => expect(desk.current.open?.kind).toBe('table'));
  const sent = Promise.withResolvers<boolean>();
  decideRows.mockReturnValueOnce(sent.promise);
  expect(desk.current.isSavingTable).toBe(false);
  let saved: Promise<void> | undefined;
  act(() => void (saved = desk.current.saveTable([{ a: '3' }], 1)));
  expect(desk.current.isSavingTable).toBe(true);
  goToOther();
  press('e');
  expect(desk.current.isSavingTable).toBe(false);
  sent.resolve(true);
  await act(async () => await saved);
  expect(desk.current.open?.kind).toBe('editor');
});

it('closes rows that were saved, also if a word was taken from the page meanwhile', async () => {
  const { desk, press, decideRows } = openDesk({ rows: [{ a: '1' }] }, 'rows.0.a');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  press('t');
  await waitFor(() => expect(desk.current.open?.kind).toBe('table'));
  const sent = Promise.withResolvers<boolean>();
  decideRows.mockReturnValueOnce(sent.promise);
  let saved: Promise<void> | undefined;
  act(() => void (saved = desk.current.saveTable([{ a: '3' }], 1)));
  act(() => desk.current.pick.pickText('4'));
  sent.resolve(true);
  await act(async () => await saved);
  expect(desk.current.open).toBeUndefined();
  expect(desk.current.isSavingTable).toBe(false);
});

it('reads the values again that another user has changed, and what was seen before counts no more', async () => {
  const { desk, press, changeByOthers, read, verify } = openDesk({ total: '1', note: '' }, 'total');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  expect(read).toHaveBeenLastCalledWith(1);
  changeByOthers('2');
  await waitFor(() => expect(desk.current.values.extraction?.version).toBe(2));
  press('v');
  press('v');
  expect(verify.mock.calls[0]).toMatchObject([{ key: 'd p' }, ['total'], 2]);
});

it('keeps an editor at its value when rows come before it, or when its own is gone', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ version: 1, result: {}, review: {}, grounding: {} }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;
  const decide = vi.fn<(decision: { item: ReviewItem; value?: unknown }) => void>();
  const reviewOf = (...paths: string[]) => {
    const items = paths.map((path) => ({ document_id: 'd', prompt_revid: 'p', path, value: path, version: 1 }));
    const more = { decidedHere: [], decide, hold: vi.fn(), leave: vi.fn(), isOwnChange: () => false };
    return { groups: [{ key: 'd p', items, about: items[0] }], ...more } as unknown as ReturnType<typeof useReview>;
  };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionProvider me={me}>{children}</SessionProvider>
    </QueryClientProvider>
  );
  const { result: desk, rerender } = renderHook((review) => useDesk(review), {
    wrapper,
    initialProps: reviewOf('tax', 'due'),
  });
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  act(() => desk.current.actions.byKey['n']!());
  act(() => desk.current.actions.byKey['e']!());
  const shown = () => [desk.current.item?.path, desk.current.items[desk.current.at]?.path, desk.current.editorText];
  expect(shown()).toEqual(['due', 'due', 'due']);
  rerender(reviewOf('total', 'tax', 'due'));
  expect(shown()).toEqual(['due', 'due', 'due']);
  rerender(reviewOf('total', 'tax'));
  expect(shown()).toEqual(['due', 'due', 'due']);
  rerender(reviewOf('total', 'tax', 'due'));
  act(() => desk.current.close());
  expect(desk.current.item?.path).toBe('due');
});

it.each(['t', 'v', 'n', 'p', 'b', 'enter', 'x'])('asks before %s closes an editor with what was typed', async (key) => {
  const { desk, press, decide, verify } = openDesk({ rows: [{ a: '1' }] }, 'rows.0.a');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  press('e');
  const { open } = desk.current;
  act(() => desk.current.onTyped(true));
  press(key);
  expect(desk.current.question).toBeDefined();
  expect(desk.current.open).toBe(open);
  act(() => desk.current.question!.keep());
  expect(desk.current.question).toBeUndefined();
  act(() => desk.current.select('rows.0.a'));
  expect(desk.current.open).toBe(open);
  expect(decide).not.toHaveBeenCalled();
  expect(verify).not.toHaveBeenCalled();
  await act(async () => {
    await desk.current.question!.discard();
    desk.current.question?.keep();
  });
  await waitFor(() => expect(desk.current.open).not.toBe(open));
});

it('asks nothing about an editor that Escape has closed, also before the page knows that it holds no text', async () => {
  const { desk, press, decide } = openDesk({ rows: [{ a: '1' }] }, 'rows.0.a');
  await waitFor(() => expect(desk.current.values.isPending).toBe(false));
  press('e');
  act(() => desk.current.onTyped(true));
  act(() => desk.current.close());
  press('enter');
  expect(desk.current.question).toBeUndefined();
  expect(decide).toHaveBeenCalledOnce();
});

it.each(['e', 'enter', 'x', 'v'])(
  'shows what was typed before a reload when %s is pressed, not once it was cancelled',
  (key) => {
    const before = openDesk({ total: '1' }, 'total');
    before.press('e');
    act(() => before.desk.current.keepTyped('3'));
    const { desk, press, decide, verify } = openDesk({ total: '1' }, 'total');
    press(key);
    expect(desk.current.open).toMatchObject({ kind: 'editor', start: '1', kept: '3' });
    for (const call of [decide, verify]) expect(call).not.toHaveBeenCalled();
    act(() => desk.current.close());
    press('enter');
    expect(decide.mock.calls[0]![0]).toMatchObject({ action: 'confirm' });
  },
);
