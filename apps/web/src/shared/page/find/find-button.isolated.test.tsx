// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { expect, it, vi } from 'vitest';
import '../../testing/component-tests.ts';
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

it('keeps the text typed while its dialog loads, and passes it to no other element', async () => {
  const otherKeyDown = vi.fn();
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <Tooltip.Provider>
        <button type="button" onKeyDown={(event) => otherKeyDown(event.key)}>
          Elsewhere
        </button>
        <FindButton />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  await user.keyboard('{Control>}k{/Control}');
  otherKeyDown.mockClear();
  await user.keyboard('conx{Backspace}to');
  loading.resolve();
  // Loading may be slow: the time limit of `findByRole` starts only after it.
  await import('./find-dialog.tsx');
  const field = await screen.findByRole('searchbox');
  expect(field).toHaveProperty('value', 'conto');
  await user.keyboard('so');
  expect(field).toHaveProperty('value', 'contoso');
  expect(otherKeyDown).not.toHaveBeenCalled();
});
