import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfirmDialog } from './confirm-dialog.tsx';

function renderDialog(run: () => Promise<void>) {
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Tooltip.Provider>
        <ConfirmDialog title="Delete it?" description="For good." action="Delete" run={run} onClose={onClose} />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return onClose;
}

afterEach(cleanup);

describe('ConfirmDialog', () => {
  it('stays open and shows the reason when the action fails', async () => {
    const onClose = renderDialog(() => Promise.reject(new Error('In use by 2 prompts.')));
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect((await screen.findByRole('alert')).textContent).toContain('In use by 2 prompts.');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('does nothing on Cancel, and closes once the action succeeds', async () => {
    const run = vi.fn(() => Promise.resolve());
    const onClose = renderDialog(run);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(run).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(2), 10_000);
    expect(run).toHaveBeenCalledOnce();
  });
});
