import { fold } from '../page/fold.ts';
import { overlap, type Cell, type Line } from '../page/layout.ts';
import { amountsIn } from '../values/amount.ts';
import { amountConcepts } from './concepts-amounts.ts';
import type { PageContext } from './page-context.ts';
import { readValue, type Reading } from './read-value.ts';
import { findTableHeaders, type HeaderCell, type TableHeader, type WantedColumn } from './table-header.ts';

export interface TableRow {
  line: Line;
  values: Map<string, Reading>;
}

const widestGap = 5;
const mostRows = 500;
const footLabels = amountConcepts.filter((concept) =>
  ['subtotal', 'total', 'tax_amount', 'amount_due'].includes(concept.name),
);

/** The rows under the header that covers the wanted columns best; empty where there is no such table. */
export function readTable(context: PageContext, wanted: readonly WantedColumn[]): TableRow[] {
  const headers = findTableHeaders(context, wanted);
  return headers
    .flatMap((header, index) => rowsUnder(context, header, wanted, headers[index + 1]?.firstLine))
    .slice(0, mostRows);
}

function rowsUnder(
  context: PageContext,
  header: TableHeader,
  wanted: readonly WantedColumn[],
  end = Infinity,
): TableRow[] {
  const rows: TableRow[] = [];
  const page = context.lines[header.lastLine]?.page;
  const textColumn = wanted.find((column) => column.kind === 'text' && header.columns.has(column.name));
  const decisive = decisiveColumns(wanted, header);
  let empty = 0;
  for (let index = header.lastLine + 1; index < Math.min(end, context.lines.length); index += 1) {
    const line = context.lines[index];
    if (!line || line.page !== page) break;
    if (line.cells.length === 0) {
      empty += 1;
      if (rows.length > 0 && empty > widestGap) break;
      continue;
    }
    if (isFoot(line)) break;
    const values = rowValues(context, line, header, wanted);
    const isRow = decisive.some((name) => values.has(name)) && (values.size >= 2 || header.columns.size === 1);
    const last = rows.at(-1);
    if (isRow) rows.push({ line, values });
    else if (last && textColumn && empty === 0) continueText(last, values, textColumn.name);
    empty = 0;
  }
  return rows;
}

/** A row is known by its sum, else by any number, else by any text. */
function decisiveColumns(wanted: readonly WantedColumn[], header: TableHeader): string[] {
  const there = wanted.filter((column) => header.columns.has(column.name));
  const amounts = there.filter((column) => column.name === 'amount' || column.name === 'total');
  if (amounts.length > 0) return amounts.map((column) => column.name);
  const numbers = there.filter((column) => column.kind === 'amount');
  return (numbers.length > 0 ? numbers : there).map((column) => column.name);
}

function isFoot(line: Line): boolean {
  return line.cells.some((cell) =>
    footLabels.some((concept) => {
      const hit = [...cell.folded.matchAll(concept.labels)].find((match) => match.index <= 2);
      return hit !== undefined && hit[0].length > 0.4 * cell.folded.replace(/[\d.,:€$ ]+$/u, '').length;
    }),
  );
}

function continueText(row: TableRow, values: Map<string, Reading>, name: string): void {
  const text = values.get(name);
  const before = row.values.get(name);
  if (!text || !before || values.size > 1 || /:\s|:$/u.test(text.written)) return;
  const joined = `${before.written} ${text.written}`;
  if (joined.length < 120) row.values.set(name, { value: joined, written: before.written });
}

function rowValues(
  context: PageContext,
  line: Line,
  header: TableHeader,
  wanted: readonly WantedColumn[],
): Map<string, Reading> {
  const values = new Map<string, Reading>();
  const numeric = wanted.filter((column) => column.kind === 'amount').map((column) => header.columns.get(column.name));
  for (const cell of line.cells.flatMap((one) => splitNumbersOff(one, numeric, context))) {
    const over = headerOver(cell, header.cells);
    const column = wanted.find((one) => over !== undefined && header.columns.get(one.name) === over);
    if (!column || values.has(column.name)) continue;
    const reading = readCell(cell, column, context);
    if (reading) values.set(column.name, reading);
  }
  return values;
}

function readCell(cell: Cell, column: WantedColumn, context: PageContext): Reading | null {
  if (column.kind !== 'amount') return readValue(cell.text, column.kind, context);
  // `3 hours`, `2.00 kg`: the number comes first in a table's cell.
  const [amount] = amountsIn(cell.text, context.decimal);
  if (!amount || /^\p{L}{3,}/u.test(fold(cell.text))) return null;
  return { value: amount.value, written: cell.text.slice(amount.start, amount.end).trim() };
}

function headerOver(cell: Cell, headers: readonly HeaderCell[]): HeaderCell | undefined {
  let best: HeaderCell | undefined;
  let bestShared = -14;
  for (const header of headers) {
    const shared = overlap(cell, header);
    if (shared > bestShared) {
      best = header;
      bestShared = shared;
    }
  }
  return best;
}

/** `Fresh paint 3.00` in one cell is a text and a number where the number stands under a column of numbers. */
function splitNumbersOff(cell: Cell, numeric: readonly (HeaderCell | undefined)[], context: PageContext): Cell[] {
  const match = /^(?<text>.*\p{L}.*?) (?<number>\S+)$/u.exec(cell.text);
  const number = match?.groups?.number;
  if (!number || amountsIn(number, context.decimal).length === 0 || /\p{L}/u.test(number)) return [cell];
  const start = cell.end - number.length;
  const tail: Cell = { text: number, folded: number, start, end: cell.end };
  if (!numeric.some((header) => header !== undefined && overlap(header, tail) > 0)) return [cell];
  const text = cell.text.slice(0, start - cell.start).trimEnd();
  return [{ text, folded: fold(text), start: cell.start, end: cell.start + text.length }, tail];
}
