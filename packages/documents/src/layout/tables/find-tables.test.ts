import { describe, expect, it } from 'vitest';
import { rulesOfImage } from '../../image/image-rules.ts';
import type { Page } from '../../page/page.ts';
import { buildPdf, line } from '../../testing/build-pdf.ts';
import { pictureOf } from '../../testing/picture.ts';
import { readOnlyPage } from '../../testing/read-pdf.ts';
import { ruledGrids } from './ruled-grid.ts';

const read = (content: string): Promise<Page> => readOnlyPage({ pages: [{ content }] });

const rule = (x0: number, y0: number, x1: number, y1: number): string => `${x0} ${y0} m ${x1} ${y1} l S\n`;
const level = (ys: readonly number[], x0: number, x1: number): string => ys.map((y) => rule(x0, y, x1, y)).join('');
const upright = (xs: readonly number[], y0: number, y1: number): string => xs.map((x) => rule(x, y0, x, y1)).join('');

/** Cells as `row.column[rows×columns] text`. */
const cellsOf = (page: Page, table = 0): string[] =>
  page.tables![table]!.cells.map(({ row, column, row_span, column_span, text, caption }) => {
    const span = row_span > 1 || column_span > 1 ? `[${row_span}×${column_span}]` : '';
    return `${row}.${column}${span} ${caption === undefined ? '' : `${caption} = `}${text}`;
  });
const linesOf = (page: Page): string[] => page.text.split('\n').map((row) => row.trim().replaceAll(/ {2,}/g, ' | '));

describe('a ruled table', () => {
  it('has spans of columns and rows, and one line of text for a row whose cells have two lines', async () => {
    const page = await read(
      level([700, 660, 620], 50, 450) +
        level([680], 150, 450) +
        upright([50, 150, 450], 620, 700) +
        upright([250, 350], 620, 680) +
        line('Goods', 60, 676, 10) +
        line('Amounts of the year', 230, 686, 10) +
        line('Net', 160, 666, 10) +
        line('Tax', 260, 666, 10) +
        line('Total', 360, 666, 10) +
        line('Oak table', 60, 645, 10) +
        line('with drawers', 60, 632, 10) +
        line('100.00', 160, 638, 10) +
        line('19.00', 260, 638, 10) +
        line('119.00', 360, 638, 10),
    );
    expect(page.tables).toMatchObject([{ kind: 'ruled', rows: 3, columns: 4 }]);
    expect(cellsOf(page)).toEqual([
      '0.0[2×1] Goods',
      '0.1[1×3] Amounts of the year',
      '1.1 Net',
      '1.2 Tax',
      '1.3 Total',
      '2.0 Oak table with drawers',
      '2.1 100.00',
      '2.2 19.00',
      '2.3 119.00',
    ]);
    expect(linesOf(page).at(-1)).toBe('Oak table with drawers | 100.00 | 19.00 | 119.00');
    expect(page.words.map(({ text }) => text).join(' ')).toContain('Oak table with drawers 100.00 19.00 119.00');
  });

  it('has a row for each full line where only its head and its border are ruled', async () => {
    const rows = ['Chair', 'Table', 'Lamp'];
    const page = await read(
      level([700, 680], 50, 450) +
        level([600], 50, 450) +
        upright([50, 450], 600, 700) +
        upright([200, 300], 680, 700) +
        ['Item', 'Number', 'Amount'].map((text, at) => line(text, 60 + at * 120, 686, 10)).join('') +
        rows
          .map((text, at) =>
            [text, `${at + 7}`, `${at + 1}0.00`].map((cell, x) => line(cell, 60 + x * 120 + 30 * x, 666 - at * 15, 10)),
          )
          .flat()
          .join(''),
    );
    expect(linesOf(page)).toEqual([
      'Item | Number | Amount',
      'Chair | 7 | 10.00',
      'Table | 8 | 20.00',
      'Lamp | 9 | 30.00',
    ]);
  });

  it('has a row for each full line where only its columns are ruled, and totals beside one open cell', async () => {
    const rows = ['Chair', 'Table', 'Lamp'];
    const page = await read(
      level([700, 680, 620, 600, 580, 560], 300, 450) +
        level([700, 680, 620, 560], 50, 300) +
        upright([50, 450], 560, 700) +
        upright([300], 560, 700) +
        line('Item', 60, 686, 10) +
        line('Amount', 310, 686, 10) +
        rows
          .map((text, at) => line(text, 60, 666 - at * 15, 10) + line(`${at + 1}0.00`, 310, 666 - at * 15, 10))
          .join('') +
        line('made of oak', 80, 626, 10) +
        ['Subtotal', 'Tax', 'Total']
          .map((text, at) => line(text, 250, 606 - at * 20, 10) + line(`${at + 6}5.00`, 310, 606 - at * 20, 10))
          .join(''),
    );
    expect(linesOf(page)).toEqual([
      'Item | Amount',
      'Chair | 10.00',
      'Table | 20.00',
      'Lamp made of oak | 30.00',
      'Subtotal | 65.00',
      'Tax | 75.00',
      'Total | 85.00',
    ]);
  });

  it('has a row for an amount below an item that has no position of its own', async () => {
    const bottom = 610;
    const xs = [50, 90, 250, 350, 450];
    const cells = (y: number, ...texts: string[]): string =>
      texts.map((text, at) => (text === '' ? '' : line(text, xs[at]! + 5, y, 10))).join('');
    const page = await read(
      level([700, 680, bottom], 50, 450) +
        upright(xs, bottom, 700) +
        cells(686, 'Pos', 'Item', 'Price', 'Amount') +
        cells(666, '1', 'Oak table', '400.00', '800.00') +
        cells(653, '', 'with drawers') +
        cells(640, '', 'Discount', '', '-80.00') +
        cells(627, '2', 'Delivery', '25.00', '25.00') +
        cells(614, '', '14.03.26'),
    );
    expect(linesOf(page)).toEqual([
      'Pos | Item | Price | Amount',
      '1 | Oak table with drawers | 400.00 | 800.00',
      'Discount | -80.00',
      '2 | Delivery 14.03.26 | 25.00 | 25.00',
    ]);
  });

  it('on a turned page has its words at their displayed positions', async () => {
    const content =
      level([700, 680, 660], 50, 250) +
      upright([50, 150, 250], 660, 700) +
      ['One', 'Two', 'Three', 'Four']
        .map((text, at) => line(text, 60 + (at % 2) * 100, 686 - Math.floor(at / 2) * 20, 10))
        .join('');
    const turned = await readOnlyPage({ pages: [{ content, rotate: 90 }] });
    expect(cellsOf(turned)).toEqual(['0.0 One', '0.1 Two', '1.0 Three', '1.1 Four']);
    const [table] = turned.tables!;
    for (const { x0, y0, x1, y1 } of turned.words) {
      expect(x0 >= table!.x0 - 0.1 && x1 <= table!.x1 + 0.1 && y0 >= table!.y0 - 0.1 && y1 <= table!.y1 + 0.1).toBe(
        true,
      );
    }
  });
});

describe('a form of boxes', () => {
  it('reads as captions and values: above, below, beside each other, over several lines, and with no value', async () => {
    const page = await read(
      level([700, 660, 620], 50, 450) +
        upright([50, 250, 450], 620, 700) +
        line('First name', 54, 692, 6) +
        line('Last name', 154, 692, 6) +
        line('Ada', 54, 672, 11) +
        line('Lovelace', 154, 672, 11) +
        line('Employer and address', 254, 692, 6) +
        line('Analytical Ltd', 254, 680, 10) +
        line('12 Mill Lane', 254, 666, 10) +
        line('1815-12-10', 54, 640, 11) +
        line('Date of birth', 54, 624, 6) +
        line('Allocated tips', 254, 652, 6),
    );
    expect(page.tables).toMatchObject([{ kind: 'form' }]);
    expect(page.text.split('\n')).toEqual([
      'First name: Ada',
      'Last name: Lovelace',
      'Employer and address: Analytical Ltd',
      '    12 Mill Lane',
      'Date of birth: 1815-12-10',
      'Allocated tips:',
    ]);
  });
});

describe('a table without lines', () => {
  it('is found by the alignment of words, joins the second line of a row, and ignores prose', async () => {
    const rows = [
      ['Description', 'Qty', 'Amount'],
      ['Consulting services', '2', '60.00'],
      ['Printing of a long report', '10', '1,010.00'],
      ['Document fee', '3', '30.00'],
    ];
    const prose = 'This line of prose goes from the left margin to the right one without a gap.';
    const page = await read(
      line(prose, 50, 740, 10) +
        rows
          .map(([text, quantity, amount], at) => {
            const y = 700 - at * 15 - (at > 2 ? 12 : 0);
            return line(text!, 50, y, 10) + line(quantity!, 250, y, 10) + line(amount!, 350, y, 10);
          })
          .join('') +
        line('on both sides of the paper', 50, 658, 10) +
        line(prose, 50, 600, 10),
    );
    expect(page.tables).toMatchObject([{ kind: 'aligned', rows: 4, columns: 3 }]);
    expect(linesOf(page).filter(Boolean)).toEqual([
      prose,
      'Description | Qty | Amount',
      'Consulting services | 2 | 60.00',
      'Printing of a long report on both sides of the paper | 10 | 1,010.00',
      'Document fee | 3 | 30.00',
      prose,
    ]);
  });
});

it('finds the printed lines of a picture, and none between white letters on a dark band', async () => {
  const content =
    level([700, 660, 630], 50, 450) +
    upright([50, 250, 450], 630, 660) +
    upright([50, 450], 660, 700) +
    '0.2 0.3 0.6 rg 50 660 400 40 re f\n' +
    `1 1 1 rg ${line('PREVIOUS EMPLOYMENT', 130, 672, 20)}`;
  const picture = await pictureOf(buildPdf({ pages: [{ content }] }), 200 / 72);
  const [grid] = ruledGrids(rulesOfImage(picture, 28), 8);
  expect(grid).toMatchObject({ rows: 2, columns: 2 });
  expect(grid!.cells.map(({ row, column, column_span }) => [row, column, column_span])).toEqual([
    [0, 0, 2],
    [1, 0, 1],
    [1, 1, 1],
  ]);
});
