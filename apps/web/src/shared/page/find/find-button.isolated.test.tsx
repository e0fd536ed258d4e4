// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { expect, it, vi } from 'vitest';
import { FindButton } from './find-button.tsx';

const loading = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock(import('./find-dialog.tsx'), async (original) => {
  await loading.promise;
  return await original();
});
vi.mock(import('../../session/session.tsx'), async (original) => ({
  ...(await original()),
  useSession: () => ({ orgId: 'o' }) as never,
}));
vi.mock(import('@tanstack/react-router'), async (original) => ({
  ...(await original()),
  useNavigate: () => vi.fn(),
}));

it('keeps what is typed before its dialog is there, and hands it to nobody else', async () => {
  const others = vi.fn();
  const person = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <Tooltip.Provider>
        <button type="button" onKeyDown={(event) => others(event.key)}>
          Elsewhere
        </button>
        <FindButton />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  await person.keyboard('{Control>}k{/Control}');
  others.mockClear();
  await person.keyboard('conx{Backspace}to');
  loading.resolve();
  // To load the dialog takes as long as the machine needs; only then does the search below count its second.
  await import('./find-dialog.tsx');
  const field = await screen.findByRole('searchbox');
  expect(field).toHaveProperty('value', 'conto');
  await person.keyboard('so');
  expect(field).toHaveProperty('value', 'contoso');
  expect(others).not.toHaveBeenCalled();
});
