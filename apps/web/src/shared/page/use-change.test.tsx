import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { ToastProvider } from '../ui/toasts.tsx';
import { useChange } from './use-change.ts';

afterEach(cleanup);

function Around({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>{children}</ToastProvider>
    </QueryClientProvider>
  );
}

it('says what was done, loads what changed again, and then goes on', async () => {
  const stored = ['a'];
  const steps: string[] = [];
  const { result } = renderHook(
    () => ({
      listed: useQuery({ queryKey: ['names'], queryFn: async () => [...stored] }).data,
      adding: useChange(async (name: string) => stored.push(name), {
        refreshes: [['names']],
        says: (count, name) => `“${name}” is number ${count}.`,
        onDone: (count) => void steps.push(`done ${count}, ${stored.join()}`),
      }),
    }),
    { wrapper: Around },
  );
  await waitFor(() => expect(result.current.listed).toEqual(['a']));
  act(() => result.current.adding.mutate('b'));
  await waitFor(() => expect(result.current.adding.isSuccess).toBe(true));
  expect(steps).toEqual(['done 2, a,b']);
  expect(result.current.listed).toEqual(['a', 'b']);
  expect(screen.getByText('“b” is number 2.')).toBeTruthy();
});

it('shows a failure only if it is told to, and does nothing else then', async () => {
  const steps: string[] = [];
  const { result } = renderHook(
    () =>
      [true, false].map((showsError) =>
        useChange(async () => Promise.reject(new Error(`Refused, ${showsError}.`)), {
          says: 'Done.',
          onDone: () => void steps.push('done'),
          showsError,
        }),
      ),
    { wrapper: Around },
  );
  for (const change of result.current) act(() => change.mutate());
  await waitFor(() => expect(result.current.map(({ isError }) => isError)).toEqual([true, true]));
  expect(screen.getByText('Refused, true.')).toBeTruthy();
  expect(screen.queryByText('Refused, false.')).toBeNull();
  expect([steps, screen.queryByText('Done.')]).toEqual([[], null]);
});

it('sends a second click once that comes before its button is disabled, and another change by itself', async () => {
  const sent: string[] = [];
  const { result } = renderHook(() => useChange(async (name: string) => sent.push(name), {}), { wrapper: Around });
  act(() => {
    result.current.mutate('a');
    result.current.mutate('a');
  });
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  expect(sent).toEqual(['a']);
  act(() => result.current.mutate('a'));
  act(() => result.current.mutate('b'));
  await waitFor(() => expect(sent).toEqual(['a', 'a', 'b']));
});
