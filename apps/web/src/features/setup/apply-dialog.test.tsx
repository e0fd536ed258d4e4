import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, it, vi } from 'vitest';
import { useLeftFailures } from '../../shared/page/writes/left-writes.ts';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { ApplyDialog } from './apply-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('a pipeline that could not be applied is named once the dialog is closed', async () => {
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  function Page() {
    const [open, setOpen] = useState(true);
    useLeftFailures();
    const shared = { conversationId: 'c', name: 'Invoices', documentCount: 1, blocking: [] };
    return open && <ApplyDialog {...shared} onApplied={vi.fn()} onOutdated={vi.fn()} onClose={() => setOpen(false)} />;
  }
  renderPage({ '/': <Page /> });
  await userEvent.click(await screen.findByRole('button', { name: 'Apply' }));
  await userEvent.click(screen.getByRole('button', { name: 'Not yet' }));
  const error = { code: 'internal', message: 'The disk is full.' };
  await act(async () => answer.resolve(Response.json({ error }, { status: 500 })));
  await screen.findByText('A change has failed: The disk is full.');
});
