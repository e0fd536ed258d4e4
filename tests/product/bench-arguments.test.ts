import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

// Plain JavaScript without types, because it runs on any Node.js.
const place = pathToFileURL(resolve(import.meta.dirname, '../../infra/bootstrap/bench-arguments.mjs')).href;
const { benchArguments } = (await import(place)) as {
  benchArguments: (args: string[], benchmarks: string[]) => Record<string, unknown>;
};
const read = (...args: string[]) => benchArguments(args, ['agent-loop.bench.ts', 'lists.bench.ts', 'ocr.bench.ts']);

it('passes everything after the first option to the benchmark, except --short', () => {
  expect(read('ocr', '--corpus', '../lists', '--short')).toEqual({
    isShort: true,
    chosen: ['ocr.bench.ts'],
    options: ['--corpus', '../lists'],
  });
});

it('chooses several benchmarks by parts of their names, and all without a name', () => {
  expect(read('--short', 'loop', 'lists')).toMatchObject({
    chosen: ['agent-loop.bench.ts', 'lists.bench.ts'],
    options: [],
  });
  expect(read()).toMatchObject({ isShort: false, chosen: ['agent-loop.bench.ts', 'lists.bench.ts', 'ocr.bench.ts'] });
});

it('names the benchmarks if none matches, or if an option has no single benchmark', () => {
  expect(read('nothing')).toEqual({ problem: expect.stringContaining('Name one of agent-loop.bench.ts') });
  expect(read('--corpus', 'here')).toEqual({
    problem: expect.stringContaining('--corpus is an option of one benchmark.'),
  });
});
