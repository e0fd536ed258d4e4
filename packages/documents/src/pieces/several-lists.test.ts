import { describe, expect, it } from 'vitest';
import { openPdf } from '../pdf/open-pdf.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { createRowCounter } from '../row-counting/count-rows.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { isComplete, issuesOf } from './issues.ts';
import { planPieces } from './plan-pieces.ts';
import { readInPieces } from './read-in-pieces.ts';

interface Row {
  code: string;
  date: string;
  amount: number;
}

/** Tables of the same columns, one below the other on each page. */
function tablesOnPages(names: readonly string[], rowsOnPage: number, pageCount: number) {
  const lists = new Map<string, Row[]>(names.map((name) => [name, []]));
  const pages = Array.from({ length: pageCount }, (_, page) => {
    let y = 780;
    let content = '';
    for (const [at, name] of names.entries()) {
      content += line(name, 50, (y -= 16)) + line('Code', 50, (y -= 12), 9) + line('Date', 200, y, 9);
      content += line('Amount', 350, y, 9);
      for (let index = 0; index < rowsOnPage; index += 1) {
        const number = page * rowsOnPage + index;
        const day = String(1 + (number % 28)).padStart(2, '0');
        const row = {
          code: `${name.slice(0, 2)}-${1000 + number * 7}`,
          date: `2026-0${at + 1}-${day}`,
          amount: 10 * at + number + 0.5,
        };
        lists.get(name)!.push(row);
        y -= 12;
        content += line(row.code, 50, y, 9) + line(row.date, 200, y, 9) + line(row.amount.toFixed(2), 350, y, 9);
      }
    }
    return { content };
  });
  return { bytes: buildPdf({ pages }), lists };
}

async function extract(
  { bytes, lists }: ReturnType<typeof tablesOnPages>,
  answered: (name: string, row: Row, index: number) => boolean = () => true,
) {
  const counter = createRowCounter();
  const pages = [...(await openPdf(bytes, defaultParseLimits)).pages];
  for (const page of pages) counter.add(page);
  const tables = counter.tables();
  const planned = pages.map(({ page_num, text }) => ({ page_num, characters: text.length }));
  const textOf = (from: number, to: number) =>
    pages
      .slice(from - 1, to)
      .map(({ text }) => text)
      .join('\n');
  const read = await readInPieces({
    pieces: planPieces(planned, tables, { characters: 300_000, rows: 300 }),
    tables,
    lists: [...lists.keys()].map((path) => ({ path, fields: ['code', 'date', 'amount'] })),
    ask: async ({ from, to }) => {
      const text = textOf(from, to);
      const rowsOf = ([name, rows]: [string, Row[]]) => [
        name,
        rows.filter((row, index) => text.includes(row.code) && answered(name, row, index)),
      ];
      return { kind: 'read', result: Object.fromEntries([...lists].map(rowsOf)) };
    },
    concurrency: 4,
    maxRequests: 50,
  });
  return { issues: issuesOf(read), requests: read.requests };
}

describe('several lists that are read from the same pages', () => {
  it.each([
    ['two tables of ten rows', ['income', 'costs'], 10, 2],
    ['five tables of 39 rows', ['income', 'costs', 'trips', 'taxes', 'wages'], 10, 4],
  ])('are complete if each has the rows of its own table: %s', async (_, names, rowsOnPage, pageCount) => {
    const { issues, requests } = await extract(tablesOnPages(names, rowsOnPage, pageCount));
    expect({
      codes: issues.map(({ code, path }) => `${code} ${path}`),
      complete: isComplete(issues),
      requests,
    }).toEqual({
      codes: [],
      complete: true,
      requests: 1,
    });
  });

  it('are incomplete where a row of one of them is missing, which alone is named', async () => {
    const made = tablesOnPages(['income', 'costs'], 10, 2);
    const { issues } = await extract(made, (name, _, index) => name !== 'costs' || index !== 14);
    expect(issues.map(({ code, path, pages, counted, got }) => ({ code, path, pages, counted, got }))).toEqual([
      { code: 'rows_missing', path: 'costs', pages: [2], counted: 20, got: 19 },
    ]);
  });
});
