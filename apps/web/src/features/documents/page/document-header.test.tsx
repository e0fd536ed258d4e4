import type { Document } from '@docwright/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { DocumentHeader } from './document-header.tsx';

let listed: string[];
const requests: string[] = [];
beforeEach(() => {
  requests.length = 0;
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    if (path.endsWith('/extractions')) return Response.json({ extractions: [] });
    if (path.includes('/documents?')) {
      return Response.json({ documents: listed.map((id) => ({ id })), total_count: listed.length });
    }
    return Response.json({ tags: [], total_count: 0, proposals: [] });
  });
});

const document = {
  id: 'here',
  document_name: 'letter.pdf',
  state: 'ocr_completed',
  mime_type: 'application/pdf',
  tag_ids: [],
} as unknown as Document;

it.each([
  ['alone in the list', ['here'], { previous: true, next: true }],
  ['first', ['here', 'b'], { previous: true, next: false }],
  ['last', ['a', 'here'], { previous: false, next: true }],
  ['between others', ['a', 'here', 'b'], { previous: false, next: false }],
])('disables the buttons to the previous and next document at the ends of the list: %s', async (_, ids, isOff) => {
  listed = ids;
  renderPage(
    { '/documents/$documentId': <DocumentHeader document={document} />, '/': null },
    { address: '/documents/here' },
  );
  const button = async (name: string) => await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(requests.some((path) => path.includes('/documents?'))).toBe(true));
  await waitFor(async () =>
    expect({
      previous: (await button('Previous document')).disabled,
      next: (await button('Next document')).disabled,
    }).toEqual(isOff),
  );
});

it('has the previous and next document in its menu too, for a phone', async () => {
  listed = ['here', 'b'];
  renderPage(
    { '/documents/$documentId': <DocumentHeader document={document} />, '/': null },
    { address: '/documents/here' },
  );
  const previous = await screen.findByRole<HTMLButtonElement>('button', { name: 'Previous document' });
  await waitFor(() => expect(previous.disabled).toBe(true));
  await userEvent.setup().click(screen.getByRole('button', { name: /^Actions/u }));
  const stateOf = (name: string) => screen.getByRole('menuitem', { name }).getAttribute('aria-disabled');
  expect([stateOf('Previous document'), stateOf('Next document')]).toEqual(['true', null]);
});
