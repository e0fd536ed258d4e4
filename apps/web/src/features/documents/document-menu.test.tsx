import type { Document } from '@docwright/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { DocumentMenu } from './document-menu.tsx';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['while its text is being read', { state: 'ocr_processing' }, 'Prepare automatically… (once it is read)', true],
  ['when it has its text', { state: 'ocr_completed' }, 'Prepare automatically…', false],
] as const)('offers to prepare a document only when the server would: %s', async (_, state, name, isOff) => {
  vi.stubGlobal('fetch', async () => Response.json({ tags: [], total_count: 0 }));
  const document = { id: 'd', document_name: 'a.pdf', mime_type: 'application/pdf', tag_ids: [], ...state };
  renderPage({ '/': <DocumentMenu document={document as unknown as Document} /> });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Actions for a.pdf' }));
  const item = await screen.findByRole('menuitem', { name });
  expect(item.getAttribute('aria-disabled') === 'true').toBe(isOff);
});

it('says what a preparation costs before it starts', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    sent.push(`${method} ${path}`);
    if (!path.endsWith('/estimate')) return Response.json({ tags: [], total_count: 0 });
    const left = { without_prompt: 0, only_pending_proposal: 0, without_text: 0, duplicates: 0 };
    const prepared = { documents: 1, spu_estimated: 12, sampled: 3 };
    return Response.json({ documents: 1, by_prompt: [], prepared, ...left });
  });
  const document = { id: 'd', document_name: 'a.pdf', mime_type: 'text/plain', tag_ids: [], state: 'ocr_completed' };
  renderPage({ '/': <DocumentMenu document={document as unknown as Document} /> });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Actions for a.pdf' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Prepare automatically…' }));
  expect(await screen.findByText('1 document: about 12 SPU, as the last 3 documents took')).toBeTruthy();
  expect(screen.getByText(/^The agent proposes/u).textContent).not.toContain('undo');
  expect(sent.some((request) => request.includes('auto_create'))).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Prepare 1 document' }));
  await vi.waitFor(() =>
    expect(sent.some((request) => request.startsWith('POST') && !request.endsWith('/estimate'))).toBe(true),
  );
});
