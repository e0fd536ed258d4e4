import type { AutoCreate, Document } from '@docwright/contract';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { CurrentExtraction } from '../current-extraction/current-extraction.tsx';
import { ProposalBanner } from './proposal-banner.tsx';

const extraction = (prompt_revid: string, result: object) => ({
  document_id: 'd',
  prompt_id: 'p',
  prompt_revid,
  result,
  original_result: result,
  grounding: {},
  issues: [],
  validation_errors: [],
  is_complete: true,
  is_verified: false,
  is_edited: false,
  created_at: '2026-01-01T10:00:00Z',
});

it('counts the values of a refined proposal as the line below it does', async () => {
  const extractions = [extraction('2', { number: '7', total: 5, tax: 1 }), extraction('1', { number: '7', total: 5 })];
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname.endsWith('/extractions')) return Response.json({ extractions, total_count: 2 });
    const prompt = { prompt_id: 'p', prompt_revid: '2', prompt_version: 2, name: 'Invoice', review: 'pending' };
    return pathname.includes('/prompts/') ? Response.json(prompt) : Response.json({ error: {} }, { status: 404 });
  });
  const document = { id: 'd', document_name: 'a.pdf' } as Document;
  // The record of the proposal names the revisions of the run, from before the refinement.
  const proposal = { status: 'proposed', prompt_revid: '1' } as AutoCreate;
  renderPage({
    '/': (
      <>
        <ProposalBanner document={document} proposal={proposal} onRefine={vi.fn()} />
        <CurrentExtraction place={{ orgId: 'org', documentId: 'd' }} onShow={vi.fn()} />
      </>
    ),
    '/prompts/$promptId': null,
  });
  expect((await screen.findByText(/found 3 of 3 values/u)).textContent).toContain('found 3 of 3 values');
  expect((await screen.findByRole('region', { name: 'Current extraction' })).textContent).toContain('3 of 3 values');
});
