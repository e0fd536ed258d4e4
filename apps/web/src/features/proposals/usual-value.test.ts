import { expect, it } from 'vitest';
import { usualValue } from './usual-value.ts';

it('is the value that three quarters of at least four documents have', () => {
  expect(usualValue(['A', 'A', 'A', 'B'])).toBe('A');
  expect(usualValue([20, 20, 20, 20, 19])).toBe(20);
  expect(usualValue(['A', 'A', 'B', 'B'])).toBeUndefined();
  expect(usualValue(['A', 'B', 'C', 'D'])).toBeUndefined();
  expect(usualValue(['A', 'A', 'A'])).toBeUndefined();
  expect(usualValue([])).toBeUndefined();
});
