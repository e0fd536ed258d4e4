import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { FindDialog } from './find-dialog.tsx';
import { usePageActions } from './page-actions.ts';
import { renderPage } from '../../testing/render-page.tsx';

const verify = vi.fn();

beforeEach(() => {
  verify.mockClear();
  vi.stubGlobal('fetch', async (path: string) => {
    const plural = /(?:orgs\/org|v2)\/(\w+)/.exec(path)?.[1] ?? '';
    if (plural === 'find') return Response.json({ places: [] });
    return Response.json({
      [plural]: plural === 'documents' ? [{ id: 'd', document_name: 'verify me.pdf' }] : [],
      total_count: 0,
    });
  });
});

function Page() {
  usePageActions([{ name: 'Verify', run: verify }]);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) return <button onClick={() => setOpen(true)}>Find</button>;
  return <FindDialog text={text} onText={setText} onClose={() => setOpen(false)} />;
}

async function openDialog() {
  const router = renderPage({
    '/': <Page />,
    '/settings': <p>Settings page</p>,
    '/documents/$documentId': <p>Document page</p>,
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Find' }));
  const field = await screen.findByRole('searchbox');
  await screen.findByRole('button', { name: /verify me.pdf/ });
  return { user, field, router };
}

it('does an action of the page by name', async () => {
  const { user, field } = await openDialog();
  await user.type(field, 'Verify{Enter}');
  await waitFor(() => expect(verify).toHaveBeenCalledOnce());
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('goes to a section of the settings', async () => {
  const { user, field, router } = await openDialog();
  await user.type(field, 'webhooks');
  await user.click(await screen.findByRole('button', { name: /Settings: Webhooks/ }));
  await screen.findByText('Settings page');
  expect(router.state.location.search).toEqual({ section: 'webhooks' });
});

it('does nothing by Enter in an empty field but to open what changed last', async () => {
  const { user } = await openDialog();
  await user.keyboard('{Enter}');
  await screen.findByText('Document page');
  expect(verify).not.toHaveBeenCalled();
});
