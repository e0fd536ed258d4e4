import type { Document } from '@docwright/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { DocumentTable } from './document-table.tsx';

afterEach(() => void vi.unstubAllGlobals());

it('the arrows reach the rows from anywhere on the page, as the list of keys says', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ tags: [], total_count: 0 }));
  const documents = ['a.pdf', 'b.pdf'].map((name) => ({
    id: name,
    document_name: name,
    mime_type: 'application/pdf',
    state: 'ocr_completed',
    size_bytes: 1,
    page_count: 1,
    tag_ids: [],
    upload_date: '2026-01-01T00:00:00.000Z',
  })) as unknown as Document[];
  const ignore = () => undefined;
  renderPage({
    '/': (
      <DocumentTable
        documents={documents}
        sort={{ sort: 'upload_date', order: 'desc' }}
        onSort={ignore}
        chosen={new Map()}
        onChoose={ignore}
        onChooseAll={ignore}
      />
    ),
  });
  const first = await screen.findByRole('link', { name: 'a.pdf' });
  const user = userEvent.setup();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(first);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('b.pdf');
});
