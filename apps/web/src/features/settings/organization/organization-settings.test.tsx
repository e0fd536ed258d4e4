import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionProvider, useSession } from '../../../shared/session/session.tsx';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { OrganizationSettings } from './organization-settings.tsx';

afterEach(() => void vi.unstubAllGlobals());

const settings = {
  time_zone: null,
  language: null,
  evaluate_before_approval: 'ask',
  evaluation_budget_spu: 1,
  evaluation_ask_above: 3,
  keep_conversations_days: null,
} as const;

it.each([
  ['Name', 'Rename', 'Ours', 'Theirs', 'name'],
  ['Days to keep unused conversations', 'Save', '30', 90, 'keep_conversations_days'],
  ['Limit for one measurement, in SPU', 'Save', '5', 7, 'evaluation_budget_spu'],
])('%s: asks before it replaces what somebody else has set meanwhile', async (label, button, typed, theirs, part) => {
  const sent: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body) as Record<string, unknown>);
    if (path.endsWith('/orgs/org')) return Response.json({ ...settings, name: 'Org', [part]: theirs });
    return Response.json({ members: [], invitations: [], total_count: 0 });
  });
  renderPage({ '/': <OrganizationSettings /> }, { organization: settings });
  const field = (await screen.findAllByLabelText(label))[0]!;
  const form = within(field.closest('form')!);
  fireEvent.change(field, { target: { value: typed } });
  await userEvent.click(form.getByRole('button', { name: button }));
  await form.findByText(/^Somebody else has changed/u);
  expect(sent).toEqual([]);
  await userEvent.click(form.getByRole('button', { name: button }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(String(sent[0]![part])).toBe(typed);
});

/** The settings, and a button for what another admin changes meanwhile. */
function ChangedMeanwhile() {
  const { me, organization } = useSession();
  const [theirs, setTheirs] = useState({});
  return (
    <SessionProvider me={{ ...me, organizations: [{ ...organization, ...theirs }] }}>
      <button onClick={() => setTheirs({ name: 'Theirs', keep_conversations_days: 90 })}>Change</button>
      <OrganizationSettings />
    </SessionProvider>
  );
}

it('shows what somebody else has set meanwhile, and asks nothing before it is left', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ members: [], invitations: [], total_count: 0 }));
  const router = renderPage({ '/': <ChangedMeanwhile />, '/other': 'Another page' }, { organization: settings });
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  expect(screen.getAllByLabelText<HTMLInputElement>('Name')[0]!.value).toBe('Theirs');
  expect(screen.getByLabelText<HTMLInputElement>('Days to keep unused conversations').value).toBe('90');
  void router.navigate({ to: '/other' as never });
  await screen.findByText('Another page');
});
