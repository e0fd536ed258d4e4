import { expect, it } from 'vitest';
import { openPdf } from '../pdf/open-pdf.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { pageOf } from '../testing/grid-page.ts';
import { buildTablePdf, tableLayouts } from '../testing/table-pdf.ts';
import { createRowCounter, type PrintedTable } from './count-rows.ts';

async function tablesOf(bytes: Uint8Array): Promise<PrintedTable[]> {
  const counter = createRowCounter();
  const { pages } = await openPdf(bytes, defaultParseLimits);
  for (const page of pages) counter.add(page);
  return counter.tables();
}

it.each(tableLayouts)('counts the rows of a table over pages (%s)', async (layout) => {
  for (const seed of [1, 2, 3]) {
    const { bytes, rows } = buildTablePdf({ rows: 130 + seed, layout, seed });
    const tables = await tablesOf(bytes);
    expect(tables.map((table) => [table.rows.length, table.is_certain])).toEqual([[rows.length, true]]);
    expect(tables[0]?.header.join(' ')).toContain('Description');
    for (const [index, row] of tables[0]!.rows.entries()) {
      expect(row.text).toContain(rows[index]!.reference);
      for (const word of rows[index]!.description.split(' ')) expect(row.text).toContain(word);
    }
  }
});

function count(text: string): number[] {
  const counter = createRowCounter();
  counter.add(pageOf(text));
  return counter.tables().map(({ rows }) => rows.length);
}

it('does not count headers, totals and lines of prose', () => {
  expect(
    count(`Acme Ltd.                                      Invoice 4711
12 High Street                                 2026-01-31

Item                Qty     Price      Amount
Chair                 2     50.00      100.00
Long table           10    120.00    1,200.00
Lamp with a shade     1     30.00       30.00
Subtotal                             1,330.00
VAT 20 %                               266.00
Total                                1,596.00

Please pay within thirty days to the account that is named below, and name
the number of the invoice. Goods stay ours until they are paid in full.`),
  ).toEqual([3]);
});

it('counts rows with either a debit or a credit', () => {
  expect(
    count(`Date          Text                     Debit      Credit     Balance
2026-01-01    Rent                    500.00                 1,500.00
2026-01-02    Salary                            2,000.00     3,500.00
2026-01-05    Food                     40.00                 3,460.00
              at the corner shop
2026-01-07    Interest                              1.20     3,461.20
Total                                 540.00    2,001.20     3,461.20`),
  ).toEqual([4]);
});

it('counts a row once if its cells continue on the next page', () => {
  const counter = createRowCounter();
  const rowAt = (number: number) =>
    `2026-01-${10 + number}    Text of entry ${number}      ${number}00.00     1,${number}00.00`;
  const first = [1, 2, 3, 4, 5].map(rowAt).join('\n');
  const second = [6, 7, 8, 9].map(rowAt).join('\n');
  counter.add(pageOf(`Date          Text                 Amount      Balance\n${first}`));
  counter.add(pageOf(`              and the rest of it\n              in two lines\n${second}`, 2));
  expect(counter.tables().map(({ rows }) => rows.length)).toEqual([9]);
});
