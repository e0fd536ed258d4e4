import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem } from '../menu.tsx';

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

it('leads to the page where the button is gone', async () => {
  function Deleting() {
    const [here, setHere] = useState(true);
    const [asking, setAsking] = useState(false);
    const remove = () => {
      setHere(false);
      setAsking(false);
    };
    return (
      <Tooltip.Provider>
        <main>{here && <button onClick={() => setAsking(true)}>Delete…</button>}</main>
        {asking && (
          <Dialog open onOpenChange={setAsking} title="Sure?">
            <button onClick={remove}>Delete</button>
          </Dialog>
        )}
      </Tooltip.Provider>
    );
  }
  render(<Deleting />);
  await userEvent.click(screen.getByText('Delete…'));
  await userEvent.click(await screen.findByText('Delete'));
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'));
});

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
