import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

afterEach(cleanup);

it.each([
  ['Button', Button],
  ['IconButton', IconButton],
])('%s keeps the focus while its own click works, and does nothing meanwhile', async (_name, Component) => {
  const submit = vi.fn();
  const click = vi.fn();
  function Form() {
    const [isWorking, setWorking] = useState(false);
    const onClick = () => {
      click();
      setWorking(true);
    };
    return (
      <Tooltip.Provider>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Component label="Save" aria-label="Save" type="submit" disabled={isWorking} onClick={onClick} />
          <button type="button">Other</button>
        </form>
      </Tooltip.Provider>
    );
  }
  render(<Form />);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await userEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect([button.disabled, button.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  await userEvent.click(button);
  await userEvent.keyboard('{Enter}');
  expect([click.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  await userEvent.click(screen.getByRole('button', { name: 'Other' }));
  expect(button.disabled).toBe(true);
});
