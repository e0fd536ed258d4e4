import type { OrganizationUsage } from '@docwright/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { StorageUsage, UsageTables } from './usage-tables.tsx';

const spent = { spu: 3, prompt_tokens: 2_000, completion_tokens: 100, calls: 2, cost_micros: 6_000, unpriced_calls: 0 };
const unknown = { ...spent, cost_micros: 0, unpriced_calls: 2 };
const price = { input: 2.5, cached_input: 1.25, output: 10, as_of: '2026-06-01', is_default: true };

const usage: OrganizationUsage = {
  spu_balance: null,
  spu_used: 6,
  spu_limit: null,
  currency: 'USD',
  cost_balance_micros: null,
  cost_used_micros: 6_000,
  cost_limit_micros: null,
  unpriced_calls: 2,
  period: 'total',
  stored_bytes: 0,
  stored_bytes_limit: null,
  by_day: [{ ...spent, calls: 4, unpriced_calls: 2, day: '2026-11-28' }],
  by_model: [
    { ...spent, model: 'gpt-4o', price },
    { ...unknown, model: 'acme/own', price: null },
  ],
  by_thread: [],
  by_user: [{ ...spent, user_id: 'u', name: 'Ada' }],
  by_prompt: [{ ...spent, prompt_id: 'p', name: 'Invoice' }],
  by_document: [{ ...spent, document_id: 'd', name: null }],
  by_run: [],
};

it('shows what is known, what is not, and what is known in part', async () => {
  renderPage({ '/': <UsageTables usage={usage} /> });
  const cells = async (label: string) =>
    within(await screen.findByRole('table', { name: label }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent);
  expect(await cells('Usage by model')).toEqual(['$0.006', 'not known']);
  expect(await cells('Usage by day, newest first')).toEqual(['≥ $0.006']);
  expect(await cells('Usage by user')).toEqual(['$0.006']);
  expect(screen.getByText(/2\.50 in, 10\.00 out for a million tokens, list price of Jun 1, 2026/u)).toBeDefined();
  expect(screen.getByText('price not known')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Invoice' })).toBeDefined();
  expect(screen.getByText('Deleted document')).toBeDefined();
  expect(screen.queryByRole('table', { name: 'Usage by run' })).toBeNull();
});

it('shows what is stored, and that there is no limit', async () => {
  renderPage({ '/': <StorageUsage usage={{ stored_bytes: 600 * 1024 * 1024, stored_bytes_limit: null }} /> });
  expect(await screen.findByText('no limit')).toBeDefined();
  expect(screen.queryByText(/Nothing more/u)).toBeNull();
});

it('says at the limit what makes room', async () => {
  const limit = 1024 * 1024 * 1024;
  renderPage({ '/': <StorageUsage usage={{ stored_bytes: limit + 5, stored_bytes_limit: limit }} /> });
  expect((await screen.findByText(/Nothing more can be stored/u)).textContent).toContain('empty the trash');
});
