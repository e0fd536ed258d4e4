import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { StopDialog } from './stop-dialog.tsx';

afterEach(cleanup);

const client = new QueryClient();
const shown = (running: boolean, onStop: () => void) => (
  <QueryClientProvider client={client}>
    <Tooltip.Provider>
      <StopDialog running={running} onStop={onStop} />
    </Tooltip.Provider>
  </QueryClientProvider>
);

it('asks before it stops a run, and only while one runs', async () => {
  const stop = vi.fn();
  const person = userEvent.setup();
  const { rerender } = render(shown(false, stop));
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  rerender(shown(true, stop));
  await person.keyboard('{Escape}');
  expect(stop).not.toHaveBeenCalled();
  await person.click(await screen.findByRole('button', { name: 'Stop it' }));
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce());
});
