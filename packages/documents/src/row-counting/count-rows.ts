import type { Page } from '../page/page.ts';
import { createLineGrouping, type LineGroup, type TableLine } from './group-lines.ts';
import { lineText, pageLines } from './page-lines.ts';

/** One row of a table as printed, with all lines of its cells. */
export interface PrintedRow {
  page_num: number;
  /** The texts of its cells, with two spaces between them. */
  text: string;
  /** Top and bottom, in points of the page after it has been turned until its text runs to the right. */
  y0: number;
  y1: number;
}

/** A table of a document; it can go over many pages. */
export interface PrintedTable {
  rows: PrintedRow[];
  /** The lines above the first row, which name the columns. From top to bottom. */
  header: string[];
  /**
   * Whether the number of rows is certain, because numbers or dates are in every row. The count is rough for a table of texts
   * alone, for one of a few rows and for one that was recognised from an image.
   */
  is_certain: boolean;
}

/** Fewer lines with common columns are no table. */
const minRows = 3;
/** In a shorter table, rows look like lines of totals, taxes and notes. */
const minCertainRows = 10;
/** Share of the rows that have a value in a column, from which on every row is expected to have one. */
const minFilledShare = 0.9;
/** Share of those columns in which a line must have a value to be a row. A line of totals has fewer. */
const minColumnShare = 0.75;
/** Share of digits among the letters and digits of a number, a date or a code. */
const minDigitShare = 0.5;
/** Share of numbers among the cells of a numeric column, and share of the lines that have a cell in it. */
const minNumberShare = 0.8;
const minNumericLineShare = 0.1;
/** A row has at least this share of the usual number of cells; more of them if the table has no numbers. */
const minCellShare = { withNumbers: 0.6, withoutNumbers: 0.7 };
/** The usual number of cells is this quantile. */
const usualCellsQuantile = 0.75;
/** Share of the pages on which a line without numbers is repeated if it is a header or a footer of the pages. */
const minRepeatedShare = 0.5;
/** Between a row and its further lines, and between lines of the header. In heights of a line. */
const maxRowDistance = 2;
const maxHeaderGap = 1.8;
const maxHeaderLines = 4;

/**
 * Counts the rows of tables: lines with common columns. It uses the words of the pages alone and no model. Pages are added
 * one by one, in order, so that the words of one page at a time are in memory.
 *
 * @returns `add` takes the next page; `tables` returns the tables of all pages so far, with at least three rows each.
 *
 * @example
 * ```ts
 * import type { Page } from '@docwright/documents';
 * import { createRowCounter } from '@docwright/documents/long';
 *
 * declare const pages: Page[];
 * const counter = createRowCounter();
 * for (const page of pages) counter.add(page);
 * console.log(counter.tables().map(({ rows }) => rows.length));
 * ```
 */
export function createRowCounter(): { add(page: Pick<Page, 'page_num' | 'words'>): void; tables(): PrintedTable[] } {
  const grouping = createLineGrouping();
  const recognized = new Set<number>();
  return {
    add(page) {
      if (page.words.some(({ confidence }) => confidence !== undefined)) recognized.add(page.page_num);
      for (const line of pageLines(page)) grouping.add(line);
    },
    tables: () =>
      grouping
        .groups()
        .map((group) => tableOf(group, recognized))
        .filter(({ rows }) => rows.length >= minRows),
  };
}

function tableOf(group: LineGroup, recognized: ReadonlySet<number>): PrintedTable {
  const repeated = repeatedLines(group);
  const candidates = group.lines.filter(
    ({ line, columns }) => columns.length > 1 && !repeated.has(lineText(line)) && !isTotal(line.cells[0]!.text),
  );
  const numeric = numericColumns(candidates);
  const withNumbers = candidates.filter((line) => hasNumber(line, numeric));
  const isNumeric = numeric.size > 0 && withNumbers.length >= minRows;
  const fullLines = isNumeric
    ? nearlyFullLines(withNumbers, minCellShare.withNumbers)
    : nearlyFullLines(candidates, minCellShare.withoutNumbers);
  const alwaysFilled = filledColumns(fullLines);
  const alwaysNumeric = new Set([...alwaysFilled].filter((column) => numeric.has(column)));
  const rowLines = new Set(
    fullLines.filter((line) => {
      const filled = line.columns.filter((column) => alwaysFilled.has(column)).length;
      if (filled < Math.max(1, Math.ceil(alwaysFilled.size * minColumnShare))) return false;
      return alwaysNumeric.size === 0 || hasNumber(line, alwaysNumeric);
    }),
  );
  const header = headerOf(group.lines, rowLines);
  const rows = assembleRows(group.lines, rowLines, new Set([...repeated, ...header]));
  const isRegular = alwaysNumeric.size > 0 && alwaysFilled.size > 1 && rows.length >= minCertainRows;
  const is_certain = isNumeric && isRegular && !rows.some(({ page_num }) => recognized.has(page_num));
  return { rows, header, is_certain };
}

/** Lines without numbers that are equal on most pages: headers and footers. */
function repeatedLines({ lines }: LineGroup): Set<string> {
  const pages = new Map<string, Set<number>>();
  const pageCount = new Set(lines.map(({ line }) => line.page_num)).size;
  for (const { line } of lines) {
    if (line.cells.length === 1 || line.cells.some((cell) => isNumberLike(cell.text))) continue;
    const text = lineText(line);
    const known = pages.get(text);
    if (known) known.add(line.page_num);
    else pages.set(text, new Set([line.page_num]));
  }
  const minPages = Math.max(2, pageCount * minRepeatedShare);
  return new Set([...pages].filter(([, onPages]) => onPages.size >= minPages).map(([text]) => text));
}

const totalWords =
  /^(sub-?\s?total|grand total|total|sum|balance (brought|carried)|brought forward|carried forward|carry[- ]?over|opening balance|closing balance|zwischensumme|gesamt|summe|übertrag|saldovortrag|sous-total|report|à reporter|totale|subtotale|riporto|suma|importe total|saldo)\b/iu;

function isTotal(text: string): boolean {
  return totalWords.test(text.trim());
}

function isNumberLike(text: string): boolean {
  const characters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const digits = text.match(/\p{N}/gu)?.length ?? 0;
  return digits > 0 && digits >= characters * minDigitShare;
}

function numericColumns(lines: readonly TableLine[]): Set<number> {
  const counts = new Map<number, { all: number; numbers: number }>();
  for (const { line, columns } of lines) {
    for (const [index, column] of columns.entries()) {
      const count = counts.get(column) ?? { all: 0, numbers: 0 };
      count.all += 1;
      if (isNumberLike(line.cells[index]!.text)) count.numbers += 1;
      counts.set(column, count);
    }
  }
  return new Set(
    [...counts]
      .filter(
        ([, { all, numbers }]) =>
          numbers >= all * minNumberShare && all >= Math.max(2, lines.length * minNumericLineShare),
      )
      .map(([column]) => column),
  );
}

function hasNumber({ line, columns }: TableLine, numeric: ReadonlySet<number>): boolean {
  return columns.some((column, index) => numeric.has(column) && isNumberLike(line.cells[index]!.text));
}

/** Lines with nearly as many cells as usual. The further lines of a row have fewer. */
function nearlyFullLines(lines: readonly TableLine[], minShare: number): TableLine[] {
  const counts = lines.map(({ columns }) => columns.length).sort((a, b) => a - b);
  const usualCells = counts[Math.floor(counts.length * usualCellsQuantile)] ?? 0;
  return lines.filter(({ columns }) => columns.length >= Math.max(2, usualCells * minShare));
}

function filledColumns(lines: readonly TableLine[]): Set<number> {
  const filled = new Map<number, number>();
  for (const { columns } of lines) for (const column of columns) filled.set(column, (filled.get(column) ?? 0) + 1);
  return new Set([...filled].filter(([, count]) => count >= lines.length * minFilledShare).map(([column]) => column));
}

/** The rows with the lines between them. Each of those belongs to the nearest row. */
function assembleRows(
  lines: readonly TableLine[],
  rowLines: ReadonlySet<TableLine>,
  ignoredTexts: ReadonlySet<string>,
): PrintedRow[] {
  const rows: (PrintedRow & { parts: { y0: number; text: string }[] })[] = [];
  const otherLines: TableLine['line'][] = [];
  for (const entry of lines) {
    const { line } = entry;
    if (rowLines.has(entry)) {
      const text = lineText(line);
      rows.push({ page_num: line.page_num, text, y0: line.y0, y1: line.y1, parts: [{ y0: line.y0, text }] });
    } else if (!ignoredTexts.has(lineText(line)) && !isTotal(line.cells[0]!.text)) otherLines.push(line);
  }
  const byPage = Map.groupBy(rows, ({ page_num }) => page_num);
  for (const line of otherLines) {
    let nearest: (typeof rows)[number] | undefined;
    let distance = (line.y1 - line.y0) * maxRowDistance;
    for (const row of byPage.get(line.page_num) ?? []) {
      const gap = line.y0 >= row.y1 ? line.y0 - row.y1 : row.y0 - line.y1;
      if (gap < distance) [nearest, distance] = [row, gap];
    }
    if (!nearest) continue;
    nearest.parts.push({ y0: line.y0, text: lineText(line) });
    nearest.y0 = Math.min(nearest.y0, line.y0);
    nearest.y1 = Math.max(nearest.y1, line.y1);
  }
  return rows.map(({ page_num, y0, y1, parts }) => {
    parts.sort((a, b) => a.y0 - b.y0);
    return { page_num, y0, y1, text: parts.map(({ text }) => text).join('  ') };
  });
}

function headerOf(lines: readonly TableLine[], rowLines: ReadonlySet<TableLine>): string[] {
  const first = lines.findIndex((line) => rowLines.has(line));
  if (first === -1) return [];
  const header: string[] = [];
  let below = lines[first]!.line;
  for (let index = first - 1; index >= 0 && header.length < maxHeaderLines; index -= 1) {
    const { line } = lines[index]!;
    const isNear = line.page_num === below.page_num && below.y0 - line.y1 < (line.y1 - line.y0) * maxHeaderGap;
    if (!isNear || line.cells.length < 2) break;
    header.unshift(lineText(line));
    below = line;
  }
  return header;
}
