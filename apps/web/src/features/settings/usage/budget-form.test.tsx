import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { BudgetForm } from './budget-form.tsx';

afterEach(() => void vi.unstubAllGlobals());

it('sends only the limit that the user changed, and keeps it while somebody else sets the others', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json({ spu_limit: 100, cost_limit_micros: 5_000_000, period: 'month' });
  });
  function Settings() {
    const [costLimit, setCostLimit] = useState<number | null>(null);
    return (
      <>
        <BudgetForm limit={100} costLimit={costLimit} currency="USD" period="month" />
        <input aria-label="Another window" onChange={() => setCostLimit(5_000_000)} />
      </>
    );
  }
  renderPage({ '/': <Settings /> });
  const limit = await screen.findByLabelText<HTMLInputElement>('Limit in SPU');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Set' }).disabled).toBe(true);
  await userEvent.clear(limit);
  await userEvent.type(limit, '250');
  fireEvent.change(screen.getByLabelText('Another window'), { target: { value: 'x' } });
  expect(screen.getByLabelText<HTMLInputElement>('Limit in USD').value).toBe('5');
  expect(limit.value).toBe('250');
  await userEvent.click(screen.getByRole('button', { name: 'Set' }));
  await waitFor(() => expect(sent).toEqual([{ spu_limit: 250, seen: { spu_limit: 100 } }]));
});

it('keeps what is typed while it saves', async () => {
  let answer: () => void = () => undefined;
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body !== 'string') return Response.json({ spu_limit: 100, cost_limit_micros: null, period: 'month' });
    sent.push(JSON.parse(body));
    await new Promise<void>((resolve) => (answer = resolve));
    return Response.json({});
  });
  renderPage({ '/': <BudgetForm limit={100} costLimit={null} currency="USD" period="month" /> });
  const limit = await screen.findByLabelText<HTMLInputElement>('Limit in SPU');
  const money = screen.getByLabelText<HTMLInputElement>('Limit in USD');
  fireEvent.change(limit, { target: { value: '250' } });
  fireEvent.change(money, { target: { value: '5' } });
  fireEvent.click(screen.getByRole('button', { name: 'Set' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  fireEvent.change(limit, { target: { value: '2500' } });
  answer();
  await waitFor(() => expect(money.value).toBe(''));
  expect(limit.value).toBe('2500');
});

it('asks before it replaces a limit that somebody else has set meanwhile, and not about its own', async () => {
  const sent: unknown[] = [];
  let stored: object = { spu_limit: 50, cost_limit_micros: null, period: 'month' };
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    if (typeof body === 'string') stored = { ...stored, ...(JSON.parse(body) as object) };
    return Response.json(stored);
  });
  renderPage({ '/': <BudgetForm limit={100} costLimit={null} currency="USD" period="month" /> });
  const limit = await screen.findByLabelText<HTMLInputElement>('Limit in SPU');
  const set = screen.getByRole('button', { name: 'Set' });
  fireEvent.change(limit, { target: { value: '250' } });
  await userEvent.click(set);
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('the limit in SPU');
  expect(sent).toEqual([]);
  await userEvent.click(set);
  await waitFor(() => expect(sent).toEqual([{ spu_limit: 250, seen: { spu_limit: 50 } }]));
});
