import { expect, it } from 'vitest';
import { chartFloor } from './accuracy-chart.tsx';

it('starts the scale a step below the lowest share, but not below zero', () => {
  expect([1, 0.961, 0.8, 0.79, 0.2, 0.05, 0].map((share) => chartFloor([1, share]))).toEqual([
    0.8, 0.8, 0.6, 0.6, 0, 0, 0,
  ]);
  expect(chartFloor([])).toBe(0.8);
});
