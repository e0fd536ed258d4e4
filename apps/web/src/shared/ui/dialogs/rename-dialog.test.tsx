import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { RenameDialog } from './rename-dialog.tsx';

it('asks before it replaces a name that somebody else has given meanwhile', async () => {
  const names: string[] = [];
  renderPage({
    '/': (
      <RenameDialog
        title="Rename schema"
        name="Invoice"
        maxLength={200}
        present={async () => 'Bill'}
        rename={async (name) => names.push(name)}
        onClose={() => undefined}
      />
    ),
  });
  await userEvent.type(await screen.findByLabelText('Name'), 's');
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }));
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('name');
  expect(names).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }));
  await waitFor(() => expect(names).toEqual(['Invoices']));
});
