import { expect, test } from 'vitest';
import { csvLine, leavesOf } from './extraction-csv.ts';

test('a result becomes one line for each value, by the paths of its grounding', () => {
  const result = { total: 5, items: [{ name: 'a' }, { name: null }], none: {} };
  expect(leavesOf(result)).toEqual([
    { path: 'total', value: 5 },
    { path: 'items.0.name', value: 'a' },
    { path: 'items.1.name', value: null },
  ]);
});

test.each([
  ['quotes and commas', ['a,"b"', 1, true, null], '"a,""b""",1,true,'],
  ['lines', ['a\nb'], '"a\nb"'],
  ['formulas', ['=cmd()', '@x', '+1 (2)', '-a'], "'=cmd(),'@x,'+1 (2),'-a"],
  ['numbers that look like formulas', ['-5.00', '+3', -7], '-5.00,+3,-7'],
])('writes %s', (_what, cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
