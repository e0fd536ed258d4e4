import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { UploadList } from './upload-list.tsx';
import { uploadReducer } from './upload-reducer.ts';
import { renderPage } from '../../../shared/testing/render-page.tsx';

const duplicate = { documentId: 'copy', original: { id: 'first', name: 'invoice 3.pdf' } };
const added = {
  type: 'added',
  uploads: ['scan.pdf', 'other.pdf'].map((name, id) => ({ id, name, size: 10 })),
} as const;

it('names the document that an upload repeats, and offers to read it all the same', async () => {
  const uploads = uploadReducer(uploadReducer(uploadReducer([], added), { type: 'done', id: 0, duplicate }), {
    type: 'done',
    id: 1,
  });
  const onKeep = vi.fn();
  renderPage({
    '/': <UploadList uploads={uploads} dismiss={() => {}} dismissAll={() => {}} keep={onKeep} />,
    '/documents/$documentId': null,
  });
  expect(await screen.findByText('2 of 2 uploaded · 1 duplicate')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'invoice 3.pdf' }).getAttribute('href')).toBe('/documents/first');
  expect(screen.queryByText('other.pdf')).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Read it anyway' }));
  expect(onKeep).toHaveBeenCalledWith(uploads[0]);
  expect(uploadReducer(uploads, { type: 'kept', id: 0 })[0]).not.toHaveProperty('duplicate');
});
