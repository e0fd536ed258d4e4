import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { NameInReview, pendingReview } from './review-mark.tsx';

afterEach(cleanup);

it('cuts off the badge before the name, which stays readable', () => {
  render(<NameInReview of={{ review: 'pending' }}>Contract</NameInReview>);
  const name = screen.getByText('Contract');
  expect(name.className).toContain('shrink-0');
  const badge = screen.getByText(pendingReview).closest('.truncate');
  expect([badge?.className.includes('min-w-0'), badge?.getAttribute('title')]).toEqual([true, pendingReview]);
  expect(badge?.parentElement?.textContent).toBe(`Contract ${pendingReview}`);
});

it('has no badge for an accepted prompt', () => {
  render(<NameInReview of={{}}>Invoice</NameInReview>);
  expect(screen.queryByText(pendingReview)).toBeNull();
});
