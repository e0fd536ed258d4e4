import { fold } from '../../page/fold.ts';
import { type Cell, type Line, overlap } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import { amountConcepts } from '../labels/concepts-amounts.ts';
import type { PageContext } from '../reading/page-context.ts';
import { type Reading, readValue } from '../reading/read-value.ts';
import { findTableHeaders, type HeaderCell, type TableHeader, type WantedColumn } from './table-header.ts';

export interface TableRow {
  line: Line;
  values: Map<string, Reading>;
  /** Whether quantity times price is the amount. */
  isConfirmed?: boolean;
}

const widestGap = 5;
const maxRows = 500;
const longestText = 120;
const footLabels = amountConcepts.filter((concept) =>
  ['subtotal', 'total', 'tax_amount', 'amount_due'].includes(concept.name),
);

/** The rows under the header that matches the schema columns best; empty when no table matches. */
export function readTable(context: PageContext, wanted: readonly WantedColumn[]): TableRow[] {
  const headers = findTableHeaders(context, wanted);
  return headers
    .flatMap((header, index) => rowsUnder(context, header, wanted, headers[index + 1]?.firstLine))
    .slice(0, maxRows);
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
  let isOpen = false;
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
    isOpen =
      isRow ||
      (isOpen &&
        empty === 0 &&
        textColumn !== undefined &&
        last !== undefined &&
        continueText(last, values, textColumn.name));
    empty = 0;
  }
  return rows;
}

/** A row is identified by its sum, otherwise by any number, otherwise by any text. */
function decisiveColumns(wanted: readonly WantedColumn[], header: TableHeader): string[] {
  const there = wanted.filter((column) => header.columns.has(column.name));
  const amounts = there.filter((column) => column.name === 'amount' || column.name === 'total');
  if (amounts.length > 0) return amounts.map((column) => column.name);
  const numbers = there.filter((column) => column.kind === 'amount');
  return (numbers.length > 0 ? numbers : there).map((column) => column.name);
}

/** Whether a line contains a sum of the whole paper. */
export function isFoot(line: Line): boolean {
  if (!/\d/u.test(line.text)) return false;
  return line.cells.some((cell) =>
    footLabels.some((concept) => {
      const hit = [...cell.folded.matchAll(concept.labels)].find((match) => match.index <= 2);
      return hit !== undefined && hit[0].length > 0.4 * cell.folded.replace(/[\d.,:€$£%() -]+$/u, '').length;
    }),
  );
}

/** Appends the text of the next line to a row; false when the line is not a continuation, which ends the row's text. */
function continueText(row: TableRow, values: Map<string, Reading>, name: string): boolean {
  const text = values.get(name);
  const before = row.values.get(name);
  if (!text || !before || values.size > 1 || /:\s|:$/u.test(text.written)) return false;
  const joined = `${before.written} ${text.written}`;
  if (joined.length > longestText) return false;
  row.values.set(name, { value: joined, written: joined });
  return true;
}

function rowValues(
  context: PageContext,
  line: Line,
  header: TableHeader,
  wanted: readonly WantedColumn[],
): Map<string, Reading> {
  const values = new Map<string, Reading>();
  const numeric = wanted.filter((column) => column.kind === 'amount').map((column) => header.columns.get(column.name));
  const cells = line.cells.flatMap((cell) => splitNumbersOff(cell, header, numeric, context));
  for (const [cell, over] of assignCells(cells, header.cells)) {
    const column = wanted.find((one) => header.columns.get(one.name) === over);
    const reading = column ? readCell(cell, column, context) : null;
    if (column && reading && !values.has(column.name)) values.set(column.name, reading);
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

/**
 * `Fresh paint 3.00` in one cell is a text and a number where the number stands under a column of numbers, and so is
 * `2 hours` where it stands under two headers.
 */
function splitNumbersOff(
  cell: Cell,
  header: TableHeader,
  numeric: readonly (HeaderCell | undefined)[],
  context: PageContext,
): Cell[] {
  const last = cell.text.lastIndexOf(' ');
  const tail = last === -1 ? undefined : partOf(cell, last + 1, cell.text.length);
  const isUnderNumbers = (part: Cell) => numeric.some((over) => over !== undefined && overlap(over, part) > 0);
  if (tail && isBareNumber(tail.text, context) && /\p{L}/u.test(cell.text.slice(0, last)) && isUnderNumbers(tail)) {
    return [partOf(cell, 0, last), tail];
  }
  const first = cell.text.indexOf(' ');
  const head = first === -1 ? undefined : partOf(cell, 0, first);
  const isOverTwo = header.cells.filter((over) => overlap(over, cell) > 0).length > 1;
  if (head && isOverTwo && isBareNumber(head.text, context) && isUnderNumbers(head)) {
    return [head, partOf(cell, first + 1, cell.text.length)];
  }
  return [cell];
}

function isBareNumber(text: string, context: PageContext): boolean {
  return !/\p{L}/u.test(text) && amountsIn(text, context.decimal).length > 0;
}

function partOf(cell: Cell, from: number, to: number): Cell {
  const text = cell.text.slice(from, to).trimEnd();
  return { text, folded: fold(text), start: cell.start + from, end: cell.start + from + text.length };
}

/** Cost of leaving a cell out, in columns: a cell further away than this belongs to no header. */
const leavingOut = 24;

/** Cost of a second cell under one header, because two headers can be too close to be distinguished. */
const sharing = 12;

interface Matching {
  cost: number;
  pairs: readonly [Cell, HeaderCell][];
}

/**
 * Assigns the cells of a row to headers in order, with the smallest sum of distances. A number between two headers goes
 * to the one that the other cells of its row leave free.
 */
function assignCells(cells: readonly Cell[], headers: readonly HeaderCell[]): readonly [Cell, HeaderCell][] {
  let previous: Matching[] = headers.map(() => ({ cost: 0, pairs: [] }));
  previous.unshift({ cost: 0, pairs: [] });
  for (const cell of cells) {
    const current: Matching[] = [];
    for (let used = 0; used <= headers.length; used += 1) {
      const without = previous[used]!;
      let best: Matching = { cost: without.cost + leavingOut, pairs: without.pairs };
      const header = headers[used - 1];
      const before = previous[used - 1];
      if (header && before) {
        const cost = before.cost + distance(cell, header);
        if (cost < best.cost) best = { cost, pairs: [...before.pairs, [cell, header]] };
        const shared = without.cost + distance(cell, header) + sharing;
        if (shared < best.cost) best = { cost: shared, pairs: [...without.pairs, [cell, header]] };
        const fewer = current[used - 1]!;
        if (fewer.cost < best.cost) best = fewer;
      }
      current.push(best);
    }
    previous = current;
  }
  return previous.at(-1)?.pairs ?? [];
}

/** The gap between a cell and a header; for two overlapping headers, the distance of the centres. */
function distance(cell: Cell, header: HeaderCell): number {
  const gap = Math.max(0, -overlap(cell, header));
  return gap + 0.05 * Math.abs((cell.start + cell.end - header.start - header.end) / 2);
}
