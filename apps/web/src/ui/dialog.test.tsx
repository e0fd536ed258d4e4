import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem } from './menu.tsx';

function Opened() {
  const [open, setOpen] = useState(false);
  return (
    <Tooltip.Provider>
      <button onClick={() => setOpen(true)}>By the button</button>
      <Menu trigger={<button>More</button>}>
        <MenuItem onSelect={() => setOpen(true)}>By the menu</MenuItem>
      </Menu>
      {open && (
        <Dialog open onOpenChange={setOpen} title="Sure?">
          <button>Yes</button>
        </Dialog>
      )}
    </Tooltip.Provider>
  );
}

afterEach(cleanup);

it.each([
  ['By the button', ['By the button']],
  ['More', ['More', 'By the menu']],
])('gives the focus back to %s that it was opened from', async (name, clicked) => {
  render(<Opened />);
  for (const each of clicked) await userEvent.click(await screen.findByText(each));
  await screen.findByRole('dialog');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Yes'));
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe(name));
});
