import type { Document, FileKind } from '@docwright/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { FieldFocusContext, type FieldFocus } from '../../shared/values/field-focus.tsx';
import { DocumentViewer } from './document-viewer.tsx';

let text: string;
beforeEach(() => {
  text = '';
  const answer = () => (text === '' ? { pages: [] } : { pages: [{ page_num: 1, text }] });
  vi.stubGlobal('fetch', async () => Response.json(answer()));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(mime_type: FileKind, state: Document['state'] = 'ocr_completed') {
  const document = { id: 'd', document_name: 'file', mime_type, state } as Document;
  const viewer = <DocumentViewer document={document} grounding={{}} />;
  renderPage({ '/': <FieldFocusContext value={{} as FieldFocus}>{viewer}</FieldFocusContext> });
}

it.each([
  ['ocr_failed', /^The file could not be read\. Download it/u],
  ['ocr_processing', /^The text appears here when the file is read\.$/u],
  ['ocr_completed', /^The file has no text\. Download it/u],
] as const)('says of a file without text in the state %s what comes next', async (state, says) => {
  show('text/plain', state);
  expect(await screen.findByText(says)).toBeTruthy();
});

it.each(['text/csv', 'application/vnd.oasis.opendocument.spreadsheet'] as const)(
  'shows %s as a table',
  async (kind) => {
    text = 'Name      Amount\nChair     12.50\nTable     99.00';
    show(kind);
    expect(await screen.findByRole('cell', { name: 'Chair' })).toBeTruthy();
  },
);

it.each([
  'message/rfc822',
  'application/vnd.ms-outlook',
  'multipart/related',
  'application/rtf',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
] as const)('shows the tables of %s between its prose', async (kind) => {
  text = 'Dear Ada,\n\nName      Amount\nChair     12.50\nTable     99.00\n\nKind regards';
  show(kind);
  expect(await screen.findByRole('cell', { name: 'Chair' })).toBeTruthy();
  expect(screen.getByText(/Dear Ada/u).tagName).toBe('PRE');
});
