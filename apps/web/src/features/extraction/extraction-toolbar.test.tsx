import type { Document, Extraction, Me } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionProvider } from '../../shared/session/session.tsx';
import { ToastProvider } from '../../shared/ui/toasts.tsx';
import { ExtractionToolbar } from './extraction-toolbar.tsx';

const me = {
  user: { id: 'u', name: 'Ada', email: 'ada@example.com', has_password: true },
  organizations: [{ id: 'org', name: 'Org', role: 'admin' }],
} as unknown as Me;
const extraction = {
  document_id: 'd',
  prompt_id: 'p',
  prompt_revid: '1',
  version: 3,
  created_at: '2026-01-01T10:00:00Z',
  is_verified: false,
  is_edited: false,
  result: { total: 110, supplier: { name: 'Contoso' }, lines: [{ amount: 1 }], codes: ['A', 'B'] },
  release: { state: 'open' },
} as unknown as Extraction;

afterEach(cleanup);

/** Shows the toolbar of a result with these values to check. Returns the bodies of verifications. */
function show(toCheck: readonly string[]): unknown[] {
  const verifications: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method === 'PUT') verifications.push(JSON.parse(init.body as string));
    if (url.includes('/prompts')) return Response.json({ prompts: [], total_count: 0 });
    const review = Object.fromEntries(
      ['total', 'supplier.name'].map((path) => [path, { risk: 0.5, reasons: [], to_check: toCheck.includes(path) }]),
    );
    return Response.json({ ...extraction, review });
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Tooltip.Provider>
        <SessionProvider me={me}>
          <ToastProvider>
            <ExtractionToolbar
              document={{ id: 'd', document_name: 'a.pdf' } as Document}
              extraction={extraction}
              extractions={[extraction]}
              onChoose={vi.fn()}
            >
              {null}
            </ExtractionToolbar>
          </ToastProvider>
        </SessionProvider>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return verifications;
}

it('verifies values to check only after it has named them', async () => {
  const verifications = show(['total', 'supplier.name']);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  const dialog = await screen.findByRole('dialog', { name: 'Are these 2 values right?' });
  expect(dialog.textContent).toContain('Total, Supplier · Name');
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  expect(verifications).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  await screen.findByRole('dialog');
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  await vi.waitFor(() => expect(verifications).toMatchObject([{ is_verified: true, seen: true }]));
});

it('verifies at once without values to check', async () => {
  const verifications = show([]);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Verify' }));
  await vi.waitFor(() => expect(verifications).toHaveLength(1));
});

it('says what the user has typed and not saved before it verifies or releases', async () => {
  const verifications = show([]);
  window.localStorage.setItem('docwright.value.d.1.supplier.name', 'Fabrikam');
  const user = userEvent.setup();
  for (const name of ['Verify', 'Release']) {
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog', { name: `${name} without what you have typed?` });
    expect(dialog.textContent).toContain('What you have typed at Supplier · Name is not saved');
    await user.keyboard('{Escape}');
  }
  window.localStorage.clear();
  expect(verifications).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  await vi.waitFor(() => expect(verifications).toHaveLength(1));
});

it('does not ask about what the user has typed at rows and items that the result has no longer', async () => {
  const verifications = show([]);
  for (const path of ['lines.3.amount', 'codes.2']) window.localStorage.setItem(`docwright.value.d.1.${path}`, '7');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Verify' }));
  await vi.waitFor(() => expect(verifications).toHaveLength(1));
  window.localStorage.clear();
});

it('runs again only from the version that the user saw, and says what somebody else has changed since', async () => {
  const bodies: unknown[] = [];
  show([]);
  const answer = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/estimate')) return Response.json({ requests: 1, pages: 1, spu_estimated: 1 });
    if (init.method === 'POST') {
      bodies.push(JSON.parse(init.body as string));
      const error = { code: 'version_conflict', message: 'Newer.', details: { current_version: 4 } };
      return Response.json({ error }, { status: 409 });
    }
    if (url.endsWith('/extractions/1'))
      return Response.json({ ...extraction, version: 4, result: { ...(extraction.result as object), total: 120 } });
    return await answer(url, init);
  });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Run again' }));
  await screen.findByText(/Somebody else has changed this result since you saw it: Total\. Nothing was replaced/u);
  expect(bodies).toEqual([{ prompt_revid: '1', base_version: 3 }]);
});
