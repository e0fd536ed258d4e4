import { expect, it } from 'vitest';
import { partsIn, textBlocks, textGrid } from './text-grid.ts';

const text = [
  'name        city    sum',
  'Ann Smith   Berlin  12',
  'Bob                 7',
  'A name that is too long  Rome  9',
].join('\n');
const cells = (grid: ReturnType<typeof textGrid>) =>
  grid?.map((row) => row.map((cell) => (cell ? text.slice(cell.start, cell.end) : '')));

it('reads aligned columns as a table; empty cells stay empty, and a long cell shifts its row', () => {
  expect(cells(textGrid(text))).toEqual([
    ['name', 'city', 'sum'],
    ['Ann Smith', 'Berlin', '12'],
    ['Bob', '', '7'],
    ['A name that is too long', 'Rome', '9'],
  ]);
});

it('does not read other text as a table', () => {
  expect(textGrid('One line of text.\nAnother line of it.')).toBeUndefined();
});

it('cuts parts at the ends of a cell', () => {
  const parts = [
    { text: 'name        ci', quoted: true },
    { text: 'ty    sum', quoted: false },
  ];
  expect(partsIn(parts, { start: 12, end: 16 })).toEqual([
    { text: 'ci', quoted: true },
    { text: 'ty', quoted: false },
  ]);
});

it('finds tables within prose', () => {
  const prose = `Dear reader,\nthe parts:\n\n${text}\n\nBest regards`;
  const blocks = textBlocks(prose);
  expect(blocks.map(({ start, end }) => prose.slice(start, end)).join('')).toBe(prose);
  expect(blocks.map(({ grid }) => grid?.length)).toEqual([undefined, 4, undefined]);
  const [first] = blocks[1]!.grid!;
  expect(first!.map((cell) => cell && prose.slice(cell.start, cell.end))).toEqual(['name', 'city', 'sum']);
  expect(textBlocks('One  gap in a line\nof prose.')).toEqual([{ start: 0, end: 28 }]);
});
