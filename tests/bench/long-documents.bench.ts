import assert from 'node:assert/strict';
import { createRowCounter, isComplete, issuesOf, planPieces, readInPieces } from '../../packages/documents/src/long.ts';
import type { Page } from '../../packages/documents/src/page/page.ts';
import { defaultParseLimits } from '../../packages/documents/src/reader/parse-limits.ts';
import { openPdf } from '../../packages/documents/src/pdf/open-pdf.ts';
import { badReaders, tableModel, type Reader } from '../../packages/documents/src/testing/table-model.ts';
import { buildTablePdf, tableLayouts, type TableRow } from '../../packages/documents/src/testing/table-pdf.ts';
import { size } from './short/size.ts';

/**
 * Tables over many pages, read in pieces by good and bad models, on generated PDFs of 400 to 3,200 rows in four layouts. Goals:
 * recall and precision of the good model's rows of at least .995; every document of a bad model is marked as incomplete, and at
 * most 2 % of the good model's; counting the rows of 100 pages takes less than 2 s of CPU.
 */
const rowCounts = size(4, 1) === 4 ? [400, 800, 1600, 3200] : [60];
const seeds = Number(process.env['SEEDS'] ?? size(3, 1));
/** The counting was tuned on the first three seeds only. */
const firstSeed = Number(process.env['FIRST_SEED'] ?? 1);
const limits = { characters: 300_000, rows: size(300, 30) };

const marked = new Map<Reader, { documents: number; marked: number }>();
const count = { counted: 0, right: 0, real: 0 };

for (const rows of rowCounts) {
  for (const layout of tableLayouts) {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const pdf = buildTablePdf({ rows, layout, seed: seed * 31 + rows });
      const counter = createRowCounter();
      const pages: Pick<Page, 'page_num' | 'text'>[] = [];
      for (const page of (await openPdf(pdf.bytes, defaultParseLimits)).pages) {
        counter.add(page);
        pages.push({ page_num: page.page_num, text: page.text });
      }
      const tables = counter.tables();
      const planned = pages.map(({ page_num, text }) => ({ page_num, characters: text.length }));
      for (const reader of ['good', ...badReaders] as const) {
        const read = await readInPieces({
          pieces: planPieces(planned, tables, limits),
          tables,
          ask: tableModel(pdf, pages, reader),
          concurrency: 4,
          maxRequests: 200,
        });
        const seen = marked.get(reader) ?? { documents: 0, marked: 0 };
        seen.documents += 1;
        if (!isComplete(issuesOf(read))) seen.marked += 1;
        marked.set(reader, seen);
        if (reader === 'good') countRows((read.merged.result as { entries: TableRow[] }).entries, pdf.rows);
      }
    }
  }
}

function countRows(counted: readonly TableRow[], real: readonly TableRow[]): void {
  const known = new Set(real.map((row) => JSON.stringify(row)));
  count.counted += counted.length;
  count.real += real.length;
  for (const row of counted) if (known.delete(JSON.stringify(row))) count.right += 1;
}

console.log(`good model: recall ${share(count.right, count.real)}, precision ${share(count.right, count.counted)}`);
for (const [reader, { documents, marked: of }] of marked)
  console.log(`${reader}: ${of} of ${documents} documents marked`);

const table = buildTablePdf({ rows: 5200, layout: 'header', seed: 3 });
const all = [...(await openPdf(table.bytes, defaultParseLimits)).pages];
const before = process.cpuUsage();
const counter = createRowCounter();
for (const page of all) counter.add(page);
const found = counter.tables()[0]?.rows.length;
const { user, system } = process.cpuUsage(before);
const milliseconds = Math.round((user + system) / 1000);
console.log(`counting ${found} of ${table.rows.length} rows on ${all.length} pages: ${milliseconds} ms of CPU`);
// The short form checks this too: CPU time does not depend on other processes.
assert.equal(found, table.rows.length);
assert.ok(milliseconds < 2_000, 'Counting the rows of 100 pages takes 2 s of CPU or more.');

function share(part: number, whole: number): string {
  return (part / whole).toFixed(4);
}
