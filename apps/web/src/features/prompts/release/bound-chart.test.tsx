import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { BoundChart } from './bound-chart.tsx';

afterEach(cleanup);

const curve = [
  { threshold: 0.01, bound: 0.004, share: 0.5 },
  { threshold: 0.02, bound: 0.0048, share: 0.7 },
  { threshold: 1, bound: 0.03, share: 1 },
];

it('says in words which share the threshold releases', () => {
  render(<BoundChart curve={curve} threshold={0.02} maxWrong={0.005} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/70\s?% of documents at a bound of 0\.48\s?%$/);
});

it('says that no threshold keeps the limit', () => {
  render(<BoundChart curve={curve} threshold={null} maxWrong={0.001} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toContain('no threshold keeps the limit');
});
