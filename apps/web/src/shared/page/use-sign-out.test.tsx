import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import '../testing/component-tests.ts';
import { claimStorage, readStored, writeStored } from '../ui/browser/stored-value.ts';
import { ToastProvider } from '../ui/toasts.tsx';
import { useSignOut } from './use-sign-out.ts';

function Leave() {
  const { start } = useSignOut();
  return (
    <button type="button" onClick={start}>
      Leave
    </button>
  );
}

it('says before a sign-out that drafts are lost, and removes them with it', async () => {
  const sent = vi.fn<(url: string) => void>();
  vi.stubGlobal('fetch', async (url: string) => {
    sent(url);
    return new Response(null, { status: 204 });
  });
  claimStorage('ann');
  writeStored('docwright.draft.d.new', 'What is due?');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <Leave />
      </ToastProvider>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('1 draft in this browser that you have not sent will be lost.')).toBeTruthy();
  expect(sent).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  await vi.waitFor(() => expect(readStored('docwright.draft.d.new')).toBeNull());
  expect(sent).toHaveBeenCalledOnce();
});
