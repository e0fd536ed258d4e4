import type { Document } from '@docwright/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { DocumentMenu } from './document-menu.tsx';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['while its text is being read', { state: 'ocr_processing' }, 'Prepare automatically (once it is read)', true],
  ['when it has its text', { state: 'ocr_completed' }, 'Prepare automatically', false],
] as const)('offers to prepare a document only when the server would: %s', async (_, state, name, isOff) => {
  vi.stubGlobal('fetch', async () => Response.json({ tags: [], total_count: 0 }));
  const document = { id: 'd', document_name: 'a.pdf', mime_type: 'application/pdf', tag_ids: [], ...state };
  renderPage({ '/': <DocumentMenu document={document as unknown as Document} /> });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Actions for a.pdf' }));
  const item = await screen.findByRole('menuitem', { name });
  expect(item.getAttribute('aria-disabled') === 'true').toBe(isOff);
});
