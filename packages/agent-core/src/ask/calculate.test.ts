import type { Evidence } from '@docwright/claims';
import { expect, it } from 'vitest';
import { calculate } from './calculate.ts';

const shown = new Map<string, Evidence>(
  [
    ['a', 1200.5],
    ['b', 200],
    ['day', '2026-03-01'],
    ['long', 'a'.repeat(40)],
  ].map(([id, value]) => [String(id), { kind: 'cell', id: String(id), document_id: 'd', path: 'p', value }]),
);
const list = `[${'1,'.repeat(9)}1]`;
/** Evaluates its innermost part ten times for each level. */
const nested = (levels: number): string => {
  let expression = 'v("a")';
  for (let level = 0; level < levels; level += 1) expression = `${list}.map(x${level}, ${expression}).size()`;
  return expression;
};

it.each([
  ['v("a") - v("b")', 1000.5],
  ['v("b") / v("a") * 100', 16.659725],
  ['v("a") > v("b") ? v("a") : v("b")', 1200.5],
  ['v("day").getFullYear() + int(v("b"))', 2226],
])('calculates %s', (expression, value) => {
  expect(calculate(expression, shown).value).toBe(value);
});

it.each([
  ['repeats itself over lists', nested(20)],
  ['repeats itself over a list of a result', 'v("a").map(x, x).size()'],
  ['searches with a pattern', 'v("long").matches("(a+)+$$")'],
  ['doubles a value by name', 'cel.bind(x, v("long") + v("long"), x + x)'],
  ['nests too deeply', `${'('.repeat(300)}v("a")${')'.repeat(300)}`],
  ['has too many parts', `v("a")${' + 1'.repeat(200)}`],
])('refuses at once what %s', (_what, expression) => {
  const before = performance.now();
  expect(() => calculate(expression, shown)).toThrow(/cannot be used|cannot be evaluated/u);
  expect(performance.now() - before).toBeLessThan(1_000);
});
