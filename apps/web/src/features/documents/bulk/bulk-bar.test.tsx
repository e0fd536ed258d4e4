import type { Document } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { nothingSelected } from './selection.ts';

afterEach(() => void vi.unstubAllGlobals());

it('is reached by a key; a tag that starts many extractions says how many and what they cost, and asks', async () => {
  const sent: { confirm?: unknown }[] = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST' && path.endsWith('/bulk')) {
      const json = JSON.parse(body as string) as { confirm?: unknown };
      sent.push(json);
      const counts = { total: 21, done: 21, succeeded: 21, unchanged: 0, skipped: 0, failed: 0, left_out: 0 };
      const job = { id: 'job', state: 'completed', action: 'tag', ...counts, failures: [], undo: null };
      if (json.confirm !== undefined) return Response.json(job);
      const error = { code: 'confirm_required', message: 'Ask.', details: { extractions: 21, spu_estimated: 42 } };
      return Response.json({ error }, { status: 409 });
    }
    return Response.json({ bulk_jobs: [], tags: [{ tag_id: 't', name: 'Invoice', color: '#dc2626' }], total_count: 1 });
  });
  const chosen = { id: 'd', document_name: 'a.pdf', tag_ids: [] as string[] } as Document;
  const selection = { ...nothingSelected, documents: new Map([['d', chosen]]) };
  renderPage({
    '/': (
      <BulkBar
        selection={selection}
        shown={[chosen]}
        allMatching={undefined}
        queryLabel=""
        onSelectAll={() => undefined}
        onClear={() => undefined}
      />
    ),
  });
  const user = userEvent.setup();
  const tagging = await screen.findByRole('button', { name: 'Tags' });
  await user.keyboard('a');
  expect(document.activeElement).toBe(tagging);
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Invoice' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Start 21 extractions?' }));
  expect(dialog.getByText(/about 42 SPU/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Tag and extract' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ tag_ids: ['t'], confirm: { extractions: 21 } }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
