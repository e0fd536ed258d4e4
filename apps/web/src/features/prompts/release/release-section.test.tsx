import type { Prompt } from '@docwright/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { ReleaseSection } from './release-section.tsx';

afterEach(() => void vi.unstubAllGlobals());

it('changes one number of a policy, and leaves those that somebody else has set meanwhile', async () => {
  let policy = { max_wrong: 0.01, confidence: 0.9, sample: 0.05, unit: 'document' };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body));
    return Response.json({
      policy,
      policy_version: 1,
      hasty_share: 0,
      curve: [],
      threshold: null,
      max_wrong: policy.max_wrong,
      last_30_days: [],
      audited: { documents: 0, wrong: 0 },
      state: 'collecting',
      needed: { documents: 10, values: 10 },
    });
  });
  renderPage({ '/': <ReleaseSection prompt={{ prompt_id: 'p', release_policy: policy } as unknown as Prompt} /> });
  await userEvent.click(await screen.findByRole('button', { name: 'Change the policy' }));
  policy = { ...policy, max_wrong: 0.001, unit: 'value' };
  const confidence = screen.getByLabelText('Confidence, in percent');
  await userEvent.clear(confidence);
  await userEvent.type(confidence, '99');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent).toEqual([{ release_policy: { max_wrong: 0.001, confidence: 0.99, sample: 0.05, unit: 'value' } }]),
  );
});
