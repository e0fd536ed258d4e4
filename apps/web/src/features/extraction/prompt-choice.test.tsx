import type { Extraction, Me } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { SessionProvider } from '../../shared/session/session.tsx';
import { PromptChoice } from './prompt-choice.tsx';

const me = {
  user: { id: 'u', name: 'Ada', email: 'ada@example.com', has_password: true },
  organizations: [{ id: 'org', name: 'Org', role: 'admin' }],
} as unknown as Me;
const of = (prompt_revid: string, created_at: string, more: object = {}) =>
  ({ prompt_id: 'p', prompt_revid, created_at, is_verified: false, is_edited: false, ...more }) as Extraction;

it('has a verified result of an earlier version above a newer one that nobody verified', async () => {
  const prompts = [{ prompt_id: 'p', prompt_revid: '2', name: 'Invoices' }];
  vi.stubGlobal('fetch', async () => Response.json({ prompts, total_count: 1 }));
  // The order of the server.
  const verified = of('1', '2026-01-01T10:00:00Z', { is_verified: true, is_edited: true });
  const newer = of('2', '2026-01-02T10:00:00Z');
  const onChoose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SessionProvider me={me}>
        <PromptChoice
          extraction={verified}
          extractions={[verified, newer]}
          disabled={false}
          onChoose={onChoose}
          onRun={vi.fn()}
        />
      </SessionProvider>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Prompt: Invoices/u }));
  const choices = screen.getAllByRole('menuitemradio');
  expect(choices.map((choice) => choice.getAttribute('aria-checked'))).toEqual(['true', 'false']);
  expect(choices[0]!.textContent).toMatch(/verified, edited, earlier version$/u);
  expect(choices[1]!.textContent).not.toMatch(/verified|edited|version/u);
  await user.click(choices[1]!);
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2');
});
