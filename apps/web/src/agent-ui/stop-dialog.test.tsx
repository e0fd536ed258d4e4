import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { StopDialog } from './stop-dialog.tsx';

afterEach(cleanup);

const shown = (running: boolean, onStop: () => void) => (
  <Tooltip.Provider>
    <StopDialog running={running} onStop={onStop} />
  </Tooltip.Provider>
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
  await person.click(screen.getByRole('button', { name: 'Stop it' }));
  expect(stop).toHaveBeenCalledOnce();
});
