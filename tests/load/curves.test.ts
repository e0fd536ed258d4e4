import { expect, test } from 'vitest';
import { curvesOf } from './curves.ts';
import type { Measurement } from './measured.ts';

const measurement = (processes: string, count: number): Measurement => ({
  date: '2026-01-31T10:00:00.000Z',
  machine: '2 cores, a processor',
  load: 0.5,
  scenario: 'stories',
  processes,
  size: count,
  seconds: 10,
  processorMs: 5_000,
  kinds: { approval: { count, p50: 10, p90: 20, p99: 40 } },
});

test('a curve shows the last run of each kind, its day and its machine', () => {
  const all = [measurement('2+2', 100), { ...measurement('1+1', 100), processorMs: 1 }, measurement('1+1', 100)];
  const svg = curvesOf(all)['throughput-by-processes.svg']!;
  expect(svg).toContain('2026-01-31; 2 cores, a processor; load of the machine before each run 0.5 to 0.5');
  // Ten a second, in a figure up to ten.
  expect(svg).toContain('points="178,50 393,50"');
});
