import { expect, it } from 'vitest';
import { longestTurn } from '../../../../../tests/timing/longest-turn.ts';
import { longJson, parseLongJson } from './long-json.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    at,
    text: `Item "${at}", [x] {y} \\ é 日本`,
    none: null,
    list: [[], {}, [at]],
  }));
const long: [name: string, value: unknown][] = [
  ['a list', rows(20_000)],
  ['a list in objects', { total: 1, a: { b: { rows: rows(20_000) }, after: [1, { c: 2 }] }, end: 'x' }],
  ['lists in a list', [[], rows(5_000), 'x', rows(5_000), rows(3), [rows(5_000)], {}]],
  ['an object of many keys', Object.fromEntries(rows(20_000).map((row) => [`${row.text}.${row.at}`, row]))],
  ['numbers as keys', Object.fromEntries(rows(20_000).map((row) => [row.at, row.at]))],
  ['a long text', { before: 1, text: 'x"\\[{'.repeat(200_000), after: rows(3_000) }],
  ['a long text alone', 'x"'.repeat(200_000)],
  ['many short values', Array.from({ length: 200_000 }, () => 0)],
  ['what JSON leaves out', { a: undefined, rows: [undefined, () => 1, ...rows(5_000)], at: new Date(0), b: undefined }],
  ['a key that objects have', JSON.parse(`{"__proto__":${JSON.stringify(rows(5_000))},"x":1,"constructor":{}}`)],
  ['a short value', { a: [1, '2', null, true, -0.5e-10] }],
];

it.each(long)('%s is written and read as JSON does', async (_name, value) => {
  const text = JSON.stringify(value);
  // A difference would be printed in full.
  expect(Buffer.concat(await longJson(value)).toString() === text).toBe(true);
  const read = await parseLongJson(text);
  expect(JSON.stringify(read) === text).toBe(true);
  expect(Object.getPrototypeOf(read)).toBe(Object.getPrototypeOf(JSON.parse(text)));
});

it(
  'other work has its turn while long values are written and read, also of several requests at once',
  { retry: 2 },
  async () => {
    const value = {
      rows: rows(20_000),
      byPath: Object.fromEntries(rows(20_000).map((row) => [`rows.${row.at}`, row])),
    };
    const { longest } = await longestTurn(async () => {
      await Promise.all(
        [1, 2, 3].map(async () => await parseLongJson(Buffer.concat(await longJson(value)).toString())),
      );
    });
    expect(longest).toBeLessThan(100);
  },
);
