import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { curvesOf } from './curves.ts';
import { readMeasurements, type Measurement } from './measured.ts';

const figures = path.resolve(import.meta.dirname, '../../docs/operators/figures');
const kept = path.join(import.meta.dirname, 'measured.json');

test('the figures of the documentation are the curves of the kept measurements', () => {
  const curves = curvesOf(readMeasurements(kept));
  expect(Object.keys(curves).toSorted()).toEqual(fs.readdirSync(figures).toSorted());
  for (const [name, svg] of Object.entries(curves)) {
    expect(fs.readFileSync(path.join(figures, name), 'utf8'), name).toBe(svg);
  }
});

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

test('a line says by what it grows when the work doubles', () => {
  const svg = curvesOf([measurement('1+1', 100), measurement('2+2', 180), measurement('4+4', 324)]);
  expect(svg['throughput-by-processes.svg']).toContain('>stories, ×1.80<');
  expect(curvesOf([measurement('1+1', 100)])['throughput-by-processes.svg']).toContain('>stories<');
});
