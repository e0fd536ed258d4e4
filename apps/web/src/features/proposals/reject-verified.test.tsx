import type { Me } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionProvider } from '../../shared/session/session.tsx';
import { ToastProvider } from '../../shared/ui/toasts.tsx';
import { useKindDecisions } from './use-kind-decisions.ts';

const me = { organizations: [{ id: 'o', role: 'admin' }] } as unknown as Me;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('names the documents whose verified results a rejection removes, and rejects only when it is confirmed again', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: { body?: string } = {}) => {
    const asked = JSON.parse(body ?? '{}') as { including_verified?: boolean };
    sent.push(asked);
    if (asked.including_verified) return Response.json({ status: 'rejected', document_ids: ['d'] });
    const documents = ['a.pdf', 'b.pdf'].map((document_name) => ({ document_name }));
    const error = { code: 'proposal_verified', message: 'Verified.', details: { documents, count: 7 } };
    return Response.json({ error }, { status: 409 });
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider me={me}>
        <ToastProvider>{children}</ToastProvider>
      </SessionProvider>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useKindDecisions({ id: 'k', name: 'Invoice' }), { wrapper });
  act(() => result.current.reject.mutate(undefined));
  await waitFor(() => expect(result.current.reject.isError).toBe(true));
  expect(result.current.reject.error?.message).toBe(
    'Verified results would be removed: “a.pdf”, “b.pdf” and 5 more. Confirm again to reject anyway.',
  );
  act(() => result.current.reject.mutate(undefined));
  await waitFor(() => expect(result.current.reject.isSuccess).toBe(true));
  expect(sent).toEqual([{}, { including_verified: true }]);
});
