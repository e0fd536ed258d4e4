import readWorkbook from 'read-excel-file/node';
import { gridPage, paginate } from '../grid/grid-pages.ts';
import { tableLines } from '../grid/table-lines.ts';
import type { Page } from '../page/page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { checkArchive } from './check-archive.ts';

type Sheet = Awaited<ReturnType<typeof readWorkbook>>[number];

/** A workbook: each sheet is one page under its name, as long and as wide as the sheet. A very long sheet has several. */
export const openXlsx: DocumentReader = async (bytes, limits) => {
  checkArchive(bytes, limits.unpackedBytes);
  const sheets = await readWorkbook(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const pages = sheets.flatMap((sheet) => paginate(sheetLines(sheet)));
  return { pageCount: pages.length, pages: readPages(pages) };
};

function* readPages(pages: readonly string[][]): Generator<Page> {
  for (const [index, lines] of pages.entries()) yield gridPage(lines, index + 1, 0);
}

function sheetLines({ sheet, data }: Sheet): string[] {
  return [sheet, '', ...tableLines(data.map((row) => row.map(cellText)))];
}

function cellText(value: unknown): string {
  if (value instanceof Date) return dateText(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** A date, with a time of day if the cell has one. Excel's dates have no time zone. */
function dateText(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`;
}
