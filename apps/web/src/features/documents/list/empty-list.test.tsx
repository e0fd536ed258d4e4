import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { EmptyList } from './empty-list.tsx';
import { FoundPlaces } from './found-places.tsx';

afterEach(() => void vi.unstubAllGlobals());

const place = { kind: 'value', document_id: 'd', document_name: 'a.pdf', label: 'Invoice number', text: 'INV08655' };

function show(text: string | undefined, places: object[]) {
  vi.stubGlobal('fetch', async () => Response.json({ places }));
  renderPage({
    '/': (
      <>
        <EmptyList filtered text={text} canWrite onClear={() => undefined} onFiles={() => undefined} />
        <FoundPlaces text={text ?? ''} />
      </>
    ),
  });
}

it('what no name matches but a value or page does is not called nothing', async () => {
  show('INV08655', [place]);
  expect(await screen.findByText(/It stands in the documents below/)).toBeTruthy();
  expect(await screen.findByText('a.pdf')).toBeTruthy();
  expect(screen.queryByText('Nothing matches')).toBeNull();
});

it('a text that stands nowhere, and a filter without a text, say what was looked at', async () => {
  show('INV09999', []);
  expect(await screen.findByText(/none has it on a page or in a value/)).toBeTruthy();
  document.body.replaceChildren();
  show(undefined, []);
  await waitFor(() => expect(screen.getByText('No document has what the filters above ask for.')).toBeTruthy());
});
