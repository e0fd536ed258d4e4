import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../shared/testing/render-page.tsx';
import { TrialResult } from './trial-result.tsx';

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json({ error: {} }, { status: 404 })));
afterEach(cleanup);

const found = { assessment: 'blocking_issues', categories: [] };

it.each([
  [false, 'Cannot be applied yet'],
  [true, 'Applied with open issues'],
])('says of a blocked pipeline, applied %s: %s', async (isApplied, said) => {
  renderPage({ '/': <TrialResult found={found} isOutdated={false} isApplied={isApplied} /> });
  await screen.findByText(said);
  expect(screen.queryAllByText('Cannot be applied yet')).toHaveLength(isApplied ? 0 : 1);
});
