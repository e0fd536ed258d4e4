import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { act, cleanup, renderHook, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { ToastProvider } from '../../ui/toasts.tsx';
import { useLeftFailures } from './left-writes.ts';

afterEach(cleanup);

function Watching({ children }: { children: ReactNode }) {
  useLeftFailures();
  return children;
}

it.each([
  ['is said if the user has left its page', true, 1],
  ['is left to a page that shows it', false, 0],
])('the failure of a change %s', async (_what, leaves, said) => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <ToastProvider>
        <Watching>{children}</Watching>
      </ToastProvider>
    </QueryClientProvider>
  );
  renderHook(() => undefined, { wrapper });
  const answer = Promise.withResolvers<void>();
  const { result, unmount } = renderHook(() => useMutation({ mutationFn: () => answer.promise }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => result.current.mutate());
  if (leaves) unmount();
  await act(async () => answer.reject(new Error('The disk is full.')));
  expect(screen.queryAllByText('A change has failed: The disk is full.')).toHaveLength(said);
});
