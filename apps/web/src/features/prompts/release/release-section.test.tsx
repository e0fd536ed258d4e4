import type { Prompt } from '@docwright/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { ReleaseSection } from './release-section.tsx';

afterEach(() => void vi.unstubAllGlobals());

interface Policy {
  max_wrong: number;
  confidence: number;
  sample: number;
  unit: string;
}

const opened: Policy = { max_wrong: 0.01, confidence: 0.9, sample: 0.05, unit: 'document' };

/** Answers with the policy as it is stored, and collects what is sent. */
function serve(stored: () => Policy | null): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    const policy = stored();
    if (path.includes('/versions')) return Response.json({ prompts: [{ release_policy: policy }] });
    return Response.json({
      policy,
      policy_version: 1,
      hasty_share: 0,
      curve: [],
      threshold: null,
      max_wrong: policy?.max_wrong,
      last_30_days: [],
      audited: { documents: 0, wrong: 0 },
      state: 'collecting',
      needed: { documents: 10, values: 10 },
    });
  });
  return sent;
}

const section = (policy: Policy | null) => (
  <ReleaseSection prompt={{ prompt_id: 'p', release_policy: policy } as unknown as Prompt} />
);

it('changes one number of a policy, and leaves those that somebody else has set meanwhile', async () => {
  let policy = opened;
  const sent = serve(() => policy);
  renderPage({ '/': section(policy) });
  await userEvent.click(await screen.findByRole('button', { name: 'Change the policy' }));
  policy = { ...policy, max_wrong: 0.001, unit: 'value' };
  const confidence = screen.getByLabelText('Confidence, in percent');
  await userEvent.clear(confidence);
  await userEvent.type(confidence, '99');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        release_policy: { max_wrong: 0.001, confidence: 0.99, sample: 0.05, unit: 'value' },
        seen: { release_policy: { max_wrong: 0.001, confidence: 0.9, sample: 0.05, unit: 'value' } },
      },
    ]),
  );
});

it.each([
  ['a number', opened, 'Change the policy', 'Save'],
  ['a policy that is to end', opened, 'Change the policy', 'Release by users alone'],
  ['a first policy', null, 'Set a policy', 'Save'],
])('asks before it replaces %s that somebody else has set meanwhile', async (_what, before, edit, save) => {
  let policy: Policy | null = before;
  const sent = serve(() => policy);
  renderPage({ '/': section(policy) });
  await userEvent.click(await screen.findByRole('button', { name: edit }));
  policy = { ...opened, max_wrong: 0.001 };
  const maxWrong = screen.getByLabelText('At most wrong, in percent');
  await userEvent.clear(maxWrong);
  await userEvent.type(maxWrong, '5');
  await userEvent.click(screen.getByRole('button', { name: save }));
  expect((await screen.findByText(/^Somebody else has changed/u)).textContent).toContain('how much can be wrong');
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: save }));
  await waitFor(() => expect(sent).toHaveLength(1));
});
