import type { Me, ReviewItem, Schema } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { SessionProvider } from '../../shared/session/session.tsx';
import { useDesk } from './use-desk.ts';
import type { useReview } from './use-review.ts';

afterEach(() => void vi.unstubAllGlobals());

it('converts a picked date when the schema is loaded after the date was picked', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;
  const item = { document_id: 'd', prompt_revid: 'p', path: 'due', value: null } as unknown as ReviewItem;
  const review = { decidedHere: [], groups: [{ key: 'd p', items: [item], about: item }] } as unknown as ReturnType<
    typeof useReview
  >;
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
    (path) => ({ document_id: 'd', prompt_revid: 'p', path, value: null }) as unknown as ReviewItem,
  );
  const verify = vi.fn<(group: unknown, seen: string[]) => void>();
  const review = { decidedHere: [], groups: [{ key: 'd p', items, about: items[0] }], verify, leave: vi.fn() };
  const value = (to_check: boolean) => ({ risk: 0.5, reasons: [], state: 'open', to_check });
  client.setQueryData(['review', 'o', 'extraction', 'd', 'p'], {
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
  expect(verify).toHaveBeenCalledExactlyOnceWith(review.groups[0], ['total', 'tax']);
  act(() => {
    result.current.seeRest();
  });
  press('n');
  press('v');
  expect(result.current.unseen).toEqual([]);
  press('v');
  expect(verify).toHaveBeenLastCalledWith(review.groups[0], ['total', 'tax', 'seller', 'due']);
});
