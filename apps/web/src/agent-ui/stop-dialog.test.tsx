import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { StopDialog } from './stop-dialog.tsx';

afterEach(cleanup);

const client = new QueryClient();
const dialog = (running: boolean, onStop: () => void) => (
  <QueryClientProvider client={client}>
    <Tooltip.Provider>
      <StopDialog running={running} onStop={onStop} />
    </Tooltip.Provider>
  </QueryClientProvider>
);

it('asks before stopping the agent, and only while it runs', async () => {
  const stop = vi.fn();
  const user = userEvent.setup();
  const { rerender } = render(dialog(false, stop));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  rerender(dialog(true, stop));
  await user.keyboard('{Escape}');
  expect(stop).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Stop it' }));
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce(), 10_000);
});
