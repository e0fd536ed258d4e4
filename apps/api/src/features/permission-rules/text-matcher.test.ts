import { expect, it } from 'vitest';
import { createTextMatchers } from './text-matcher.ts';

it('finds patterns anywhere, and reuses them', () => {
  const { matchText } = createTextMatchers().forDecision();
  expect([matchText('b+', 'abbc'), matchText('^b', 'abbc'), matchText('b+', 'ac')]).toEqual([true, false, false]);
});

it('blocks nobody: the costliest pattern and text are given up at once, and the next decision has a new budget', () => {
  const matchers = createTextMatchers();
  const costly = '[^]{1,300}[^]{1,300}[^]{1,300}[^ab]';
  const text = 'ab'.repeat(100_000);
  const matcher = matchers.forDecision();
  expect(matcher.isSpent()).toBe(false);
  const started = performance.now();
  expect(() => {
    for (let times = 0; times < 1_000; times++) matcher.matchText(costly, text.slice(0, 2_000));
  }).toThrow(/too long/);
  expect(matcher.isSpent()).toBe(true);
  expect(() => matcher.matchText('a', 'a')).toThrow(/too long/);
  expect(() => matchers.forDecision().matchText(costly, text)).toThrow(/too long/);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(matchers.forDecision().matchText('a', text)).toBe(true);
});
