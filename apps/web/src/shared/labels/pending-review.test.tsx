import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { NameInReview, pendingReview } from './pending-review.tsx';

afterEach(cleanup);

it('keeps the badge outside of the part that is cut off', () => {
  render(<NameInReview of={{ review: 'pending' }}>A very long name of a prompt</NameInReview>);
  expect(screen.getByText('A very long name of a prompt').className).toContain('truncate');
  const badge = screen.getByText(pendingReview);
  expect(badge.closest('.truncate')).toBeNull();
  expect(badge.className).toContain('shrink-0');
});

it('has no badge for an accepted prompt', () => {
  render(<NameInReview of={{}}>Invoice</NameInReview>);
  expect(screen.queryByText(pendingReview)).toBeNull();
});
