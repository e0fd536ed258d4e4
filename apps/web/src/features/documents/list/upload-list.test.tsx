import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { UploadButton } from './upload-button.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';
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
    '/': <UploadList uploads={uploads} dismiss={() => {}} dismissAll={() => {}} repeat={() => {}} keep={onKeep} />,
    '/documents/$documentId': null,
  });
  expect(await screen.findByText('2 of 2 uploaded · 1 duplicate')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'invoice 3.pdf' }).getAttribute('href')).toBe('/documents/first');
  expect(screen.queryByText('other.pdf')).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Read it anyway' }));
  expect(onKeep).toHaveBeenCalledWith(uploads[0]);
  expect(uploadReducer(uploads, { type: 'kept', id: 0 })[0]).not.toHaveProperty('duplicate');
});

it('sends a file again whose upload has failed, such as one after the end of the session', async () => {
  const sent: string[] = [];
  const answers: [number, object][] = [
    [401, { error: { code: 'not_signed_in', message: 'Sign in.' } }],
    [201, { documents: [{ id: 'first' }] }],
  ];
  class Request extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    open() {}
    send(form: FormData) {
      const [status, body] = answers[sent.length]!;
      sent.push((form.get('files') as File).name);
      Object.assign(this, { status, responseText: JSON.stringify(body) });
      queueMicrotask(() => this.dispatchEvent(new Event('load')));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  function Page() {
    const { add, ...uploading } = useUploads('org', undefined);
    return (
      <>
        <UploadButton onFiles={add} />
        <UploadList {...uploading} />
      </>
    );
  }
  renderPage({ '/': <Page /> });
  const user = userEvent.setup();
  await user.upload(await screen.findByLabelText('Files to upload'), new File(['Total: 5'], 'scan.txt'));
  expect(await screen.findByText('Your session has ended. Sign in, then try again.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 of 1 uploaded')).toBeTruthy();
  expect(sent).toEqual(['scan.txt', 'scan.txt']);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  vi.unstubAllGlobals();
});
