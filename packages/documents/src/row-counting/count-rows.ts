import type { Page } from '../page/page.ts';
import { createLineGrouping, type LineGroup, type TableLine } from './group-lines.ts';
import { lineText, pageLines } from './page-lines.ts';

/** One row of a table as printed, with the lines that its cells wrap to. */
export interface PrintedRow {
  page_num: number;
  text: string;
  y0: number;
  y1: number;
}

/** A table of a document; it can go over many pages. */
export interface PrintedTable {
  rows: PrintedRow[];
  /** The lines above the first row that name its columns, from top to bottom. */
  header: string[];
  /**
   * Whether the count can be trusted to the row: columns of numbers or dates stand in every row. A table of texts alone,
   * one of a few rows, or one recognised from an image, is counted roughly.
   */
  is_certain: boolean;
}

/** Rows of smaller groups are lines that happen to share columns. */
const FEWEST_ROWS = 3;
/** A short table is too little to tell its rows from lines of totals, taxes and notes for sure. */
const FEWEST_CERTAIN = 10;
/** Of the rows: the share that has a value in a column which every row fills. */
const ALWAYS = 0.9;
/** Of the columns that every row fills: the share that a line needs to be a row. A line of totals has fewer. */
const NEEDED = 0.75;
/** Of the characters of a cell: the share of digits in a number, a date or a code. */
const DIGITS = 0.5;
const HEADER_LINES = 4;

/**
 * Counts the rows of tables from the words of the pages alone: lines that share columns. Independent of any model.
 * Pages are added one by one, so that no more than one page's words are needed at a time.
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
        .filter(({ rows }) => rows.length >= FEWEST_ROWS),
  };
}

function tableOf(group: LineGroup, recognized: ReadonlySet<number>): PrintedTable {
  const repeated = repeatedLines(group);
  const candidates = group.lines.filter(
    ({ line, columns }) => columns.length > 1 && !repeated.has(lineText(line)) && !isTotal(line.cells[0]!.text),
  );
  const numeric = numericColumns(candidates);
  const withNumbers = candidates.filter((line) => hasNumber(line, numeric));
  const isNumeric = numeric.size > 0 && withNumbers.length >= FEWEST_ROWS;
  const broad = broadLines(isNumeric ? withNumbers : candidates, isNumeric ? 0.6 : 0.7);
  const always = filledColumns(broad);
  const anchors = new Set([...always].filter((column) => numeric.has(column)));
  const rowLines = new Set(
    broad.filter((line) => {
      const filled = line.columns.filter((column) => always.has(column)).length;
      if (filled < Math.max(1, Math.ceil(always.size * NEEDED))) return false;
      return anchors.size === 0 || hasNumber(line, anchors);
    }),
  );
  const header = headerOf(group.lines, rowLines);
  const rows = assembleRows(group.lines, rowLines, new Set([...repeated, ...header]));
  const isRegular = anchors.size > 0 && always.size > 1 && rows.length >= FEWEST_CERTAIN;
  const is_certain = isNumeric && isRegular && !rows.some(({ page_num }) => recognized.has(page_num));
  return { rows, header, is_certain };
}

/** Lines without numbers that are identical on most pages: headers and footers. */
function repeatedLines({ lines }: LineGroup): Set<string> {
  const pages = new Map<string, Set<number>>();
  const first = new Map<number, number>();
  for (const { line } of lines) first.set(line.page_num, (first.get(line.page_num) ?? 0) + 1);
  for (const { line } of lines) {
    if (line.cells.length === 1 || line.cells.some((cell) => isNumberLike(cell.text))) continue;
    const text = lineText(line);
    const known = pages.get(text);
    if (known) known.add(line.page_num);
    else pages.set(text, new Set([line.page_num]));
  }
  const enough = Math.max(2, first.size * 0.5);
  return new Set([...pages].filter(([, on]) => on.size >= enough).map(([text]) => text));
}

const totalWords =
  /^(sub-?\s?total|grand total|total|sum|balance (brought|carried)|brought forward|carried forward|carry[- ]?over|opening balance|closing balance|zwischensumme|gesamt|summe|übertrag|saldovortrag|sous-total|report|à reporter|totale|subtotale|riporto|suma|importe total|saldo)\b/iu;

function isTotal(text: string): boolean {
  return totalWords.test(text.trim());
}

function isNumberLike(text: string): boolean {
  const characters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const digits = text.match(/\p{N}/gu)?.length ?? 0;
  return digits > 0 && digits >= characters * DIGITS;
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
      .filter(([, { all, numbers }]) => numbers >= all * 0.8 && all >= Math.max(2, lines.length * 0.1))
      .map(([column]) => column),
  );
}

function hasNumber({ line, columns }: TableLine, numeric: ReadonlySet<number>): boolean {
  return columns.some((column, index) => numeric.has(column) && isNumberLike(line.cells[index]!.text));
}

/** Lines with nearly as many cells as the fullest: those of wrapped cells have fewer. */
function broadLines(lines: readonly TableLine[], share: number): TableLine[] {
  const counts = lines.map(({ columns }) => columns.length).sort((a, b) => a - b);
  const typical = counts[Math.floor(counts.length * 0.75)] ?? 0;
  return lines.filter(({ columns }) => columns.length >= Math.max(2, typical * share));
}

function filledColumns(lines: readonly TableLine[]): Set<number> {
  const filled = new Map<number, number>();
  for (const { columns } of lines) for (const column of columns) filled.set(column, (filled.get(column) ?? 0) + 1);
  return new Set([...filled].filter(([, count]) => count >= lines.length * ALWAYS).map(([column]) => column));
}

/** Rows with the lines between them; each line belongs to the nearest row. */
function assembleRows(
  lines: readonly TableLine[],
  rowLines: ReadonlySet<TableLine>,
  leftOut: ReadonlySet<string>,
): PrintedRow[] {
  const rows: (PrintedRow & { parts: { y0: number; text: string }[] })[] = [];
  const loose: TableLine['line'][] = [];
  for (const entry of lines) {
    const { line } = entry;
    if (rowLines.has(entry)) {
      const text = lineText(line);
      rows.push({ page_num: line.page_num, text, y0: line.y0, y1: line.y1, parts: [{ y0: line.y0, text }] });
    } else if (!leftOut.has(lineText(line)) && !isTotal(line.cells[0]!.text)) loose.push(line);
  }
  const byPage = Map.groupBy(rows, ({ page_num }) => page_num);
  for (const line of loose) {
    let nearest: (typeof rows)[number] | undefined;
    let distance = (line.y1 - line.y0) * 2;
    for (const row of byPage.get(line.page_num) ?? []) {
      const off = line.y0 >= row.y1 ? line.y0 - row.y1 : row.y0 - line.y1;
      if (off < distance) [nearest, distance] = [row, off];
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
  for (let index = first - 1; index >= 0 && header.length < HEADER_LINES; index -= 1) {
    const { line } = lines[index]!;
    const isNear = line.page_num === below.page_num && below.y0 - line.y1 < (line.y1 - line.y0) * 1.8;
    if (!isNear || line.cells.length < 2) break;
    header.unshift(lineText(line));
    below = line;
  }
  return header;
}
