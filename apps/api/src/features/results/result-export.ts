import { Readable } from 'node:stream';
import { csvLine, csvType, DomainError, type ResultRow } from '@docwright/contract';
import { writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import { createFairPlaces } from '../../platform/places/fair-places.ts';
import type { ResultExport } from './result-service.ts';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ndjsonType = 'application/x-ndjson; charset=utf-8';

export type ExportFormat = 'csv' | 'ndjson' | 'xlsx';

/** The format that an `Accept` header asks for; undefined for JSON. */
export function exportFormatOf(accept: string | undefined): ExportFormat | undefined {
  if (accept === undefined) return undefined;
  const [first] = [
    ['csv', accept.indexOf('text/csv')] as const,
    ['ndjson', accept.indexOf('application/x-ndjson')] as const,
    ['xlsx', accept.indexOf(xlsxType)] as const,
    [undefined, accept.indexOf('application/json')] as const,
  ]
    .filter(([, at]) => at >= 0)
    .toSorted(([, one], [, other]) => one - other);
  return first?.[0];
}

/** The columns in front of those of the result. */
const headColumns = ['document_id', 'document_name', 'prompt_revid', 'version', 'release', 'is_verified'] as const;

interface ExportFile {
  type: string;
  extension: ExportFormat;
  body: Readable;
}

/**
 * A stream of the selected rows. Rows are read when the client can take more, so memory does not grow with their number.
 * @throws DomainError `too_many_rows` if they do not fit on a sheet of Excel.
 */
export function exportResults(results: ResultExport, format: ExportFormat): ExportFile {
  if (format === 'ndjson') return { type: ndjsonType, extension: format, body: Readable.from(ndjsonOf(results)) };
  if (format === 'csv') return { type: csvType, extension: format, body: Readable.from(csvOf(results)) };
  const maxRows = XLSX_MAX_ROWS_PER_SHEET - 1;
  if (results.count > maxRows) {
    throw new DomainError(
      'invalid',
      'too_many_rows',
      `A sheet of Excel has at most 1,048,576 rows with the header, and ${results.count} rows are selected. Select fewer with "where", or export as CSV.`,
      { rows: results.count, max_rows: maxRows },
    );
  }
  const header = [...headColumns, ...results.columns];
  const sheet = writeXlsxStream(sheetRows(results), {
    name: 'Results',
    columns: header.map((name) => ({ header: sheetCell(name) })),
    freezePane: { rows: 1 },
  });
  return { type: xlsxType, extension: format, body: Readable.fromWeb(sheet as Parameters<typeof Readable.fromWeb>[0]) };
}

/** Exports that read rows at the same time: one of an organization, so that many large ones leave the database to others. */
const enter = createFairPlaces({ inAll: 2, ofParty: 1 });

/** The batches of rows, each read in turn. While the client takes no more, an export has no place. */
async function* inTurn({ organizationId, rows }: ResultExport): AsyncGenerator<ResultRow[]> {
  const batches = rows();
  for (;;) {
    const leave = await enter(organizationId);
    const next = await batches.next().finally(leave);
    if (next.done === true) return;
    yield next.value;
  }
}

async function* ndjsonOf(results: ResultExport): AsyncGenerator<string> {
  for await (const batch of inTurn(results)) yield batch.map((row) => `${JSON.stringify(row)}\n`).join('');
}

async function* csvOf(results: ResultExport): AsyncGenerator<string> {
  const { columns } = results;
  yield `${csvLine([...headColumns, ...columns])}\r\n`;
  for await (const batch of inTurn(results)) yield batch.map((row) => `${csvLine(cellsOf(row, columns))}\r\n`).join('');
}

/** Texts are cells of the type text, which Excel does not run as formulas. */
async function* sheetRows(results: ResultExport) {
  const { columns } = results;
  for await (const batch of inTurn(results)) {
    for (const row of batch) yield cellsOf(row, columns).map(sheetCell);
  }
}

/** Characters that no XML can hold. */
const noXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A cell without what would make the whole file unreadable: one value of one document must not. */
function sheetCell<Cell>(cell: Cell): Cell | string {
  return typeof cell === 'string' ? cell.replaceAll(noXml, '') : cell;
}

function cellsOf({ fields, ...row }: ResultRow, columns: readonly string[]) {
  return [
    ...headColumns.map((name) => row[name]),
    ...columns.map((path) => fields[path] as string | number | boolean | null),
  ];
}
