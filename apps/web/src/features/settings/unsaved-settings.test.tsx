import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../shared/testing/render-page.tsx';
import { MeasuringFields } from './measuring/measuring-fields.tsx';
import { NewRuleForm } from './new-rule-form.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { AddMemberForm } from './organization/add-member-form.tsx';
import { BudgetForm } from './usage/budget-form.tsx';
import { WebhookForm } from './webhooks/webhook-form.tsx';

afterEach(() => void vi.unstubAllGlobals());

const organization = { evaluate_before_approval: 'ask', evaluation_budget_spu: 10, evaluation_ask_above: 20 } as const;
const forms: [label: string, typed: string, form: () => ReactNode][] = [
  ['Limit in SPU', '250', () => <BudgetForm limit={100} costLimit={null} currency="USD" period="month" />],
  ['Limit for one measurement, in SPU', '11', () => <MeasuringFields />],
  ['New token for', 'A script', () => <NewTokenForm />],
  ['Tool', 'create_*', () => <NewRuleForm />],
  ['Add by e-mail', 'ada@example.com', () => <AddMemberForm />],
  ['Address', 'https://example.com/', () => <WebhookForm onCreated={() => undefined} onCancel={() => undefined} />],
];

it.each(forms)('asks before what is typed as “%s” is left', async (label, typed, form) => {
  vi.stubGlobal('fetch', async () => Response.json({ prompts: [], tags: [] }));
  const router = renderPage({ '/': form(), '/other': 'Another page' }, { organization });
  const field = await screen.findByLabelText<HTMLInputElement>(label);
  fireEvent.change(field, { target: { value: typed } });
  void router.navigate({ to: '/other' as never });
  await screen.findByText('Leave without saving?');
  fireEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(typed);
  void router.navigate({ to: '/other' as never });
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('Another page');
});
