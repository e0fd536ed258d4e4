import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStallDetector } from './stall-detector.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

test('tells what stands still, whatever the wall clock says', () => {
  const still = createStallDetector(1_000);
  expect(still([['a', '1']])).toEqual([]);
  vi.setSystemTime(new Date('2100-01-01'));
  expect(
    still([
      ['a', '1'],
      ['b', '1'],
    ]),
  ).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(
    still([
      ['a', '1'],
      ['b', '2'],
    ]),
  ).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(
    still([
      ['a', '1'],
      ['b', '2'],
    ]),
  ).toEqual(['a']);
  expect(still([['b', '2']])).toEqual([]);
  expect(
    still([
      ['a', '1'],
      ['b', '3'],
    ]),
  ).toEqual([]);
});
