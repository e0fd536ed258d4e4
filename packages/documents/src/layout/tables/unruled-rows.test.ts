import { expect, it } from 'vitest';
import type { Word } from '../../page/page.ts';
import { findTables, wordsOfTable } from './find-tables.ts';

/** Words of lines like `10 Oak table|200 2`: a text and the right edge of its last word, or its left edge after `<`. */
function wordsOf(
  lines: readonly (readonly [y: number, ...cells: (readonly [text: string, x: number, side?: 'right'])[]])[],
): Word[] {
  return lines.flatMap(([y0, ...cells]) =>
    cells.flatMap(([text, x, side]) => {
      let x0 = side === 'right' ? x - text.length * width : x;
      return text.split(' ').map((part) => {
        const word = { text: part, x0, y0, x1: x0 + part.length * width, y1: y0 + height };
        x0 += (part.length + 0.5) * width;
        return word;
      });
    }),
  );
}

const [width, height] = [5, 10];

const rowsOf = (words: Word[]): string[] =>
  findTables(words, []).flatMap((table) =>
    Array.from({ length: table.rows }, (_, row) =>
      table.cells
        .filter((cell) => cell.row === row)
        .map((cell) =>
          wordsOfTable({ ...table, cells: [cell] })
            .map(({ text }) => text)
            .join(' '),
        )
        .join(' | '),
    ),
  );

const item = (y: number, text: string, quantity: string, price: string, rate: string) =>
  [y, [text, 50], [quantity, 200, 'right'], [price, 260, 'right'], [rate, 265], [price, 340, 'right']] as const;

it('has columns that are too close for one line to show it', () => {
  const words = wordsOf([
    [100, ['Item', 50], ['Qty', 200, 'right'], ['Price', 260, 'right'], ['VAT', 265], ['Sum', 340, 'right']],
    item(115, 'Oak table', '2', '400.00', '19 %'),
    item(130, 'Lamp for the hall', '10', '1,030.00', '7 %'),
    item(145, 'Chair', '4', '60.00', '19 %'),
  ]);
  expect(rowsOf(words)).toEqual([
    'Item | Qty | Price | VAT | Sum',
    'Oak table | 2 | 400.00 | 19 % | 400.00',
    'Lamp for the hall | 10 | 1,030.00 | 7 % | 1,030.00',
    'Chair | 4 | 60.00 | 19 % | 60.00',
  ]);
});

it('does not divide texts whose words stand below each other', () => {
  const words = wordsOf([
    [100, ['Room 101 north', 50], ['40.00', 260, 'right'], ['80.00', 340, 'right']],
    [115, ['Room 102 south', 50], ['45.00', 260, 'right'], ['90.00', 340, 'right']],
    [130, ['Room 103 north', 50], ['40.00', 260, 'right'], ['80.00', 340, 'right']],
  ]);
  expect(rowsOf(words)[0]).toBe('Room 101 north | 40.00 | 80.00');
});

it('joins the further lines of a cell, also the third, in the first column, and below a total that lies across columns', () => {
  const words = wordsOf([
    [100, ['Item', 50], ['Qty', 200, 'right'], ['Price', 260, 'right'], ['Sum', 340, 'right']],
    [120, ['Oak table', 50], ['2', 200, 'right'], ['400.00', 260, 'right'], ['800.00', 340, 'right']],
    [131, ['Lot 34-A', 50]],
    [142, ['Delivered in March', 50]],
    [162, ['Lamp', 50], ['1', 200, 'right'], ['30.00', 260, 'right'], ['30.00', 340, 'right']],
    [173, ['Size M8', 50]],
    [193, ['Sum of all items and freight', 170], ['830.00', 340, 'right']],
  ]);
  expect(rowsOf(words)).toEqual([
    'Item | Qty | Price | Sum',
    'Oak table Lot 34-A Delivered in March | 2 | 400.00 | 800.00',
    'Lamp Size M8 | 1 | 30.00 | 30.00',
    'Sum of all items and freight | 830.00',
  ]);
});

it('leaves the lines of cells that are centred on each other where they are, and a sum below its amounts', () => {
  const words = wordsOf([
    [100, ['No', 20], ['Item', 50], ['Qty', 200, 'right'], ['Price', 260, 'right'], ['Sum', 340, 'right']],
    [112, ['Oak table', 50]],
    [124, ['1', 20], ['with drawers', 50], ['2', 200, 'right'], ['400.00', 260, 'right'], ['800.00', 340, 'right']],
    [136, ['Lot 34-A', 50]],
    [148, ['Lamp', 50]],
    [160, ['2', 20], ['for the hall', 50], ['1', 200, 'right'], ['30.00', 260, 'right'], ['30.00', 340, 'right']],
    [172, ['Size M8', 50]],
    [184, ['Total 830.00', 340, 'right']],
  ]);
  const rows = rowsOf(words).join('\n');
  expect(rows).not.toMatch(/Item.*Oak|Lot 34-A.*Lamp|30\.00 Total/);
});
