import { expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { openPdf } from '../pdf/open-pdf.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { createRowCounter, type PrintedTable } from '../row-counting/count-rows.ts';
import { badReaders, tableModel, type Reader } from '../testing/table-model.ts';
import { buildTablePdf, tableLayouts, type TableLayout, type TablePdf } from '../testing/table-pdf.ts';
import { isComplete, issuesOf } from './issues.ts';
import { headersFor, planPieces, type Piece } from './plan-pieces.ts';
import { readInPieces } from './read-in-pieces.ts';

interface Read {
  pdf: TablePdf;
  pages: Page[];
  tables: PrintedTable[];
}

async function readTable(layout: TableLayout, rows = 400, seed = 7): Promise<Read> {
  const pdf = buildTablePdf({ rows, layout, seed });
  const counter = createRowCounter();
  const pages = [...(await openPdf(pdf.bytes, defaultParseLimits)).pages];
  for (const page of pages) counter.add(page);
  return { pdf, pages, tables: counter.tables() };
}

async function extract({ pdf, pages, tables }: Read, reader: Reader) {
  const planned = pages.map(({ page_num, text }) => ({ page_num, characters: text.length }));
  const asked: Piece[] = [];
  const model = tableModel(pdf, pages, reader);
  const read = await readInPieces({
    pieces: planPieces(planned, tables, { characters: 300_000, rows: 250 }),
    tables,
    ask: (piece) => {
      asked.push(piece);
      return model(piece);
    },
    concurrency: 4,
    maxRequests: 200,
  });
  const issues = issuesOf(read);
  return { result: read.merged.result, issues, is_complete: isComplete(issues), asked };
}

it.each(tableLayouts)('a good model’s result is complete, a bad model’s has issues (%s)', async (layout) => {
  const read = await readTable(layout);
  const { result, issues, is_complete, asked } = await extract(read, 'good');
  expect(result).toEqual({ account: read.pdf.account, closing: read.pdf.closing, entries: read.pdf.rows });
  expect({ issues, is_complete, asked: asked.length }).toEqual({ issues: [], is_complete: true, asked: 2 });
  for (const reader of badReaders) {
    const bad = await extract(read, reader);
    expect({ reader, is_complete: bad.is_complete }).toEqual({ reader, is_complete: false });
  }
});

it('names the code, the list and the pages of missing rows', async () => {
  const read = await readTable('unruled');
  const drops = await extract(read, 'drops');
  expect(drops.issues).toMatchObject([{ code: 'rows_missing', path: 'entries', counted: 400, got: 396 }]);
  expect(drops.issues[0]?.pages).toHaveLength(4);
  const fails = await extract(read, 'fails');
  expect(fails.issues.map(({ code }) => code)).toEqual(['piece_failed']);
  const repeats = await extract(read, 'repeats');
  expect(repeats.issues.map(({ code }) => code)).toEqual(['rows_duplicate']);
  expect((repeats.result as { entries: unknown[] }).entries).toEqual(read.pdf.rows);
});

it('splits a piece whose answer was cut, down to single pages, and repeats no request', async () => {
  const read = await readTable('unruled');
  const { asked, issues } = await extract(read, 'cut');
  expect(issues.map(({ code, pages }) => ({ code, pages: pages.length }))).toEqual([
    { code: 'piece_failed', pages: 1 },
  ]);
  const names = asked.map(({ from, to }) => `${from}-${to}`);
  expect(new Set(names).size).toBe(names.length);
});

it('plans pieces that do not cut a table, and returns its header if they must', () => {
  const rows = (...pages: number[]) => pages.map((page_num) => ({ page_num, text: 'x', y0: 0, y1: 1 }));
  const table = { rows: rows(4, 4, 5, 5, 5), header: ['Date  Amount'], is_certain: true };
  const pages = Array.from({ length: 8 }, (_, index) => ({ page_num: index + 1, characters: 100 }));
  const limits = { characters: 450, rows: 100 };
  expect(planPieces(pages, [table], limits)).toEqual([
    { from: 1, to: 3 },
    { from: 4, to: 7 },
    { from: 8, to: 8 },
  ]);
  const long = { ...table, rows: rows(...Array.from({ length: 20 }, (_, index) => 1 + Math.floor(index / 4))) };
  expect(headersFor({ from: 3, to: 5 }, [long])).toEqual([{ page_num: 1, text: 'Date  Amount' }]);
  expect(headersFor({ from: 1, to: 2 }, [long])).toEqual([]);
});

it('joins a row that crosses the end of a piece', async () => {
  const read = await readTable('wrapped');
  const model = tableModel(read.pdf, read.pages, 'good');
  const pieces = planPieces(
    read.pages.map(({ page_num, text }) => ({ page_num, characters: text.length })),
    read.tables,
    { characters: 300_000, rows: 250 },
  );
  const [first, second] = pieces;
  const rest = {
    date: null,
    description: 'and what stands on the next page',
    reference: '',
    amount: null,
    balance: null,
  };
  const { merged, rows } = await readInPieces({
    pieces,
    tables: read.tables,
    ask: async (piece) => {
      const answer = await model(piece);
      if (piece !== second || answer.kind !== 'read') return answer;
      const result = answer.result as { entries: unknown[] };
      return { kind: 'read', result: { ...result, entries: [rest, ...result.entries] } };
    },
    concurrency: 2,
    maxRequests: 20,
  });
  const { entries } = merged.result as { entries: TablePdf['rows'] };
  const seam = read.pdf.rows.findIndex(
    ({ reference }) => read.pages.find(({ text }) => text.includes(reference))!.page_num > first!.to,
  );
  expect(entries).toHaveLength(read.pdf.rows.length);
  expect(entries[seam - 1]?.description).toBe(`${read.pdf.rows[seam - 1]!.description} ${rest.description}`);
  expect(entries[seam]).toEqual(read.pdf.rows[seam]);
  expect(rows.findings).toEqual([]);
});

it('reports no repetition if two rows were counted as one, and one if a row occurs twice in the answer', async () => {
  const texts = Array.from({ length: 12 }, (_, at) => `Item-${at + 1}  ${at + 2} pieces  ${at}7.50 EUR`);
  const printed = [...texts.slice(0, 7), `${texts[7]}  ${texts[8]}`, ...texts.slice(9)];
  const rows = printed.map((text, at) => ({ page_num: 1, text, y0: at * 12, y1: at * 12 + 10 }));
  const tables: PrintedTable[] = [{ rows, header: [], is_certain: false }];
  const items = texts.map((text) => {
    const [name, quantity, price] = text.split('  ');
    return { name, quantity, price };
  });
  const issuesFor = async (answered: object[]) =>
    issuesOf(
      await readInPieces({
        pieces: [{ from: 1, to: 1 }],
        tables,
        ask: async () => ({ kind: 'read', result: { items: answered } }),
        concurrency: 1,
        maxRequests: 1,
      }),
    );
  expect(await issuesFor(items)).toEqual([]);
  expect(await issuesFor(items.map(({ name, quantity }) => ({ name, quantity })))).toEqual([]);
  expect(await issuesFor([...items, items[3]!])).toMatchObject([{ code: 'rows_duplicate', path: 'items' }]);
});
