import { useNavigate } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem } from '../menu.tsx';

function Openers() {
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

it('moves the focus to the page when the opening button no longer exists', async () => {
  function Deleting() {
    const [exists, setExists] = useState(true);
    const [asking, setAsking] = useState(false);
    const remove = () => {
      setExists(false);
      setAsking(false);
    };
    return (
      <Tooltip.Provider>
        <main>{exists && <button onClick={() => setAsking(true)}>Delete…</button>}</main>
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
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'), 10_000);
});

it.each([
  ['By the button', ['By the button']],
  ['More', ['More', 'By the menu']],
])('returns the focus to the opener %s', async (name, clicked) => {
  render(<Openers />);
  for (const text of clicked) await userEvent.click(await screen.findByText(text));
  await screen.findByRole('dialog');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Yes'), 10_000);
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe(name), 10_000);
});

it('keeps what was entered in its form when the user clicks beside it', async () => {
  const closed = vi.fn<() => void>();
  renderPage({
    '/': (
      <Dialog open onOpenChange={closed} title="New">
        <form>
          <input aria-label="Name" />
        </form>
      </Dialog>
    ),
  });
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.type(await screen.findByLabelText('Name'), 'Typed');
  await user.click(document.body);
  expect(closed).not.toHaveBeenCalled();
});

describe('the question of the Back button', () => {
  function PageWithDialog() {
    const [open, setOpen] = useState(true);
    const navigate = useNavigate();
    const save = () => {
      setOpen(false);
      void navigate({ to: '/audit' });
    };
    return (
      <main>
        Page B
        {open && (
          <Dialog open onOpenChange={setOpen} title="New">
            <form>
              <input aria-label="Name" />
            </form>
            <button onClick={save}>Save</button>
          </Dialog>
        )}
      </main>
    );
  }

  it.each([
    ['Escape, with the address of the page again', async () => userEvent.keyboard('{Escape}'), '/ask', '/'],
    ['a save that goes on to another page', async () => userEvent.click(screen.getByText('Save')), '/audit', '/ask'],
  ])('ends with %s', async (_how, end, address, before) => {
    window.history.replaceState(null, '', '/');
    const router = renderPage({ '/': 'Page A', '/ask': <PageWithDialog />, '/audit': 'Page C' }, { inWindow: true });
    await screen.findByText('Page A');
    await act(async () => router.navigate({ to: '/ask' }));
    await userEvent.type(await screen.findByLabelText('Name'), 'Typed');
    window.history.back();
    await screen.findByText('What you have entered is not saved.');
    await end();
    await vi.waitFor(() => expect(window.location.pathname).toBe(address), 10_000);
    expect(router.state.location.pathname).toBe(address);
    window.history.back();
    await vi.waitFor(() => expect(window.location.pathname).toBe(before), 10_000);
  });
});

it('needs no router, and asks nothing, if it has no way out, such as the sign-in of an ended session', async () => {
  render(
    <Dialog open title="Your session has ended">
      <form>
        <input aria-label="Password" />
      </form>
    </Dialog>,
  );
  await userEvent.type(screen.getByLabelText('Password'), 'Typed');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Typed');
});
