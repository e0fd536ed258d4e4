import { amountConcepts } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import type { PageContext } from '../reading/page-context.ts';
import { type Reading, readValue } from '../reading/read-value.ts';
import { findTableHeaders, type TableHeader, type WantedColumn } from './table-header.ts';

export interface TableRow {
  line: Line;
  values: Map<string, Reading>;
  /** Whether quantity times price is the amount. */
  isConfirmed?: boolean;
}

const maxEmptyLines = 5;
const maxRows = 500;
const maxTextLength = 120;
const maxHeadingLength = 60;
const subtotal = amountConcepts.find(({ name }) => name === 'subtotal')!;
const footConcepts = amountConcepts.filter((concept) =>
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
  let emptyLines = 0;
  /** Whether the next line can continue the text of the last row. */
  let isTextOpen = false;
  for (let index = header.lastLine + 1; index < Math.min(end, context.lines.length); index += 1) {
    const line = context.lines[index];
    if (!line || line.page !== page) break;
    if (line.cells.length === 0) {
      emptyLines += 1;
      if (rows.length > 0 && emptyLines > maxEmptyLines) break;
      continue;
    }
    if (rows.length > 0 && isTaxHeading(line)) break;
    if (isFoot(line)) {
      if (!isSectionFoot(line, context)) break;
      isTextOpen = false;
      continue;
    }
    const values = rowValues(context, line, header, wanted);
    const isRow = decisive.some((name) => values.has(name)) && (values.size >= 2 || header.columns.size === 1);
    const last = rows.at(-1);
    if (isRow) rows.push({ line, values });
    isTextOpen =
      isRow ||
      (isTextOpen &&
        emptyLines === 0 &&
        textColumn !== undefined &&
        last !== undefined &&
        continueText(last, values, textColumn.name));
    emptyLines = 0;
  }
  for (const { name, isTaxRate } of wanted) {
    if (isTaxRate !== true) continue;
    const readings = rows.flatMap(({ values }) => values.get(name) ?? []);
    if (readings.some((reading) => !isRate(reading)) || areTaxesOf(readings, context))
      for (const { values } of rows) values.delete(name);
  }
  return rows;
}

const maxRate = 30;

/** Whether a number below `Tax` can be a rate: a larger one, one with odd cents, or one of a currency is an amount. */
function isRate(reading: Reading): boolean {
  if (reading.written.includes('%')) return true;
  if (/\p{Sc}/u.test(reading.written)) return false;
  const value = Number(reading.value);
  return value >= 0 && value <= maxRate && Number.isInteger(value * 4);
}

/** Whether numbers below `Tax` add up to the tax that the document prints. */
function areTaxesOf(readings: readonly Reading[], { lines, decimal }: PageContext): boolean {
  if (readings.length < 2 || readings.some(({ written }) => written.includes('%'))) return false;
  const sum = readings.reduce((total, { value }) => total + Number(value), 0);
  if (sum === 0) return false;
  return lines.some(({ cells, text }) => {
    const isTax = cells.some(({ folded }) => taxWords.test(folded));
    return isTax && Math.abs((amountsIn(text, decimal).at(-1)?.value ?? 0) - sum) < 0.005;
  });
}

/** The columns that identify a row: its amount, otherwise any number, otherwise any text. */
function decisiveColumns(wanted: readonly WantedColumn[], header: TableHeader): string[] {
  const present = wanted.filter((column) => header.columns.has(column.name));
  const amounts = present.filter((column) => column.name === 'amount' || column.name === 'total');
  if (amounts.length > 0) return amounts.map((column) => column.name);
  const numbers = present.filter((column) => column.kind === 'amount');
  return (numbers.length > 0 ? numbers : present).map((column) => column.name);
}

/** Whether a line has a sum of the whole document, such as its total. */
export function isFoot(line: Line): boolean {
  if (!/\d/u.test(line.text)) return false;
  return line.cells.some((cell) =>
    footConcepts.some((concept) => {
      const hit = [...cell.folded.matchAll(concept.labels)].find((match) => match.index <= 2);
      if (hit && concept.not?.test(cell.folded.slice(hit.index, hit.index + hit[0].length + 16))) return false;
      return hit !== undefined && hit[0].length > 0.4 * cell.folded.replace(/[\d.,:€$£%() -]+$/u, '').length;
    }),
  );
}

const taxWords = /(?<!\p{L})(?:tax(?:es)?|vat|gst|mwst|ust|tva|iva|btw|steuer)(?!\p{L})/u;
const tableWords =
  /(?<!\p{L})(?:breakdown|summary|analysis|specification|rates?|base|details?|aufschlusselung|ubersicht|zusammenfassung|satz|recapitulatif|ventilation|taux|riepilogo|aliquota|desglose|resumen|tipo|overzicht|specificatie)(?!\p{L})/u;

/** Whether a line is the heading of a table of taxes, which follows the items: `VAT breakdown`. */
function isTaxHeading({ text, cells }: Line): boolean {
  if (/\d/u.test(text)) return false;
  const folded = cells.map((cell) => cell.folded).join(' ');
  return taxWords.test(folded) && tableWords.test(folded) && folded.length <= maxHeadingLength;
}

/** Whether a line has the subtotal of a section, after which the rows of the next one follow: a later subtotal is larger. */
function isSectionFoot(line: Line, context: PageContext): boolean {
  const sum = subtotalOn(line, context);
  return (
    sum !== undefined &&
    context.lines.some((later) => later.index > line.index && (subtotalOn(later, context) ?? 0) > sum)
  );
}

function subtotalOn({ cells, text }: Line, { decimal }: PageContext): number | undefined {
  const isLabelled = cells.some(({ folded }) => [...folded.matchAll(subtotal.labels)].some(({ index }) => index <= 2));
  return isLabelled ? amountsIn(text, decimal).at(-1)?.value : undefined;
}

/** Appends the text of the next line to a row. Returns false when the line does not continue the row. */
function continueText(row: TableRow, values: Map<string, Reading>, textColumn: string): boolean {
  const text = values.get(textColumn);
  const before = row.values.get(textColumn);
  if (!text || !before || values.size > 1 || /:\s|:$/u.test(text.written)) return false;
  const joined = `${before.written} ${text.written}`;
  if (joined.length > maxTextLength) return false;
  row.values.set(textColumn, { value: joined, written: joined });
  return true;
}

function rowValues(
  context: PageContext,
  line: Line,
  header: TableHeader,
  wanted: readonly WantedColumn[],
): Map<string, Reading> {
  const values = new Map<string, Reading>();
  const numberHeaders = wanted
    .filter((column) => column.kind === 'amount')
    .map((column) => header.columns.get(column.name));
  const cells = line.cells.flatMap((cell) => splitNumber(cell, header, numberHeaders, context));
  for (const [cell, headerCell] of assignCells(cells, header.cells)) {
    const column = wanted.find(({ name }) => header.columns.get(name) === headerCell);
    const reading = column ? readCell(cell, column, context) : null;
    if (column && reading && !values.has(column.name)) values.set(column.name, reading);
  }
  return values;
}

function readCell(cell: LayoutCell, column: WantedColumn, context: PageContext): Reading | null {
  if (column.kind !== 'amount') return readValue(cell.text, column.kind, context);
  if (column.isTaxRate === true && cell.text.includes('%')) return readValue(cell.text, 'percent', context);
  // In `3 hours` or `2.00 kg` the value is the first number.
  const [amount] = amountsIn(cell.text, context.decimal);
  if (!amount || /^\p{L}{3,}/u.test(fold(cell.text))) return null;
  const written = column.isTaxRate === true ? cell.text : cell.text.slice(amount.start, amount.end);
  return { value: amount.value, written: written.trim() };
}

/**
 * Splits `Fresh paint 3.00` into a text and a number when the number is under a column of numbers, and `2 hours` when it
 * is under two headers.
 */
function splitNumber(
  cell: LayoutCell,
  header: TableHeader,
  numberHeaders: readonly (LayoutCell | undefined)[],
  context: PageContext,
): LayoutCell[] {
  const last = cell.text.lastIndexOf(' ');
  const tail = last === -1 ? undefined : partOf(cell, last + 1, cell.text.length);
  const isUnderNumbers = (part: LayoutCell) =>
    numberHeaders.some((each) => each !== undefined && overlap(each, part) > 0);
  if (tail && isBareNumber(tail.text, context) && /\p{L}/u.test(cell.text.slice(0, last)) && isUnderNumbers(tail)) {
    return [partOf(cell, 0, last), tail];
  }
  const first = cell.text.indexOf(' ');
  const head = first === -1 ? undefined : partOf(cell, 0, first);
  const isUnderTwo = header.cells.filter((each) => overlap(each, cell) > 0).length > 1;
  if (head && isUnderTwo && isBareNumber(head.text, context) && isUnderNumbers(head)) {
    return [head, partOf(cell, first + 1, cell.text.length)];
  }
  return [cell];
}

function isBareNumber(text: string, context: PageContext): boolean {
  return !/\p{L}/u.test(text) && amountsIn(text, context.decimal).length > 0;
}

function partOf(cell: LayoutCell, from: number, to: number): LayoutCell {
  const text = cell.text.slice(from, to).trimEnd();
  return { text, folded: fold(text), start: cell.start + from, end: cell.start + from + text.length };
}

/** The cost of a cell without a header, in columns: a cell further away than this belongs to no header. */
const unassignedCost = 24;

/** The cost of a second cell under one header. Two headers can be too close to be distinguished. */
const sharedHeaderCost = 12;

interface Matching {
  cost: number;
  pairs: readonly [LayoutCell, LayoutCell][];
}

/**
 * Assigns the cells of a row to headers in order, with the smallest sum of distances. So a number between two headers
 * belongs to the one that no other cell of its row has.
 */
function assignCells(
  cells: readonly LayoutCell[],
  headers: readonly LayoutCell[],
): readonly [LayoutCell, LayoutCell][] {
  let previous: Matching[] = headers.map(() => ({ cost: 0, pairs: [] }));
  previous.unshift({ cost: 0, pairs: [] });
  for (const cell of cells) {
    const current: Matching[] = [];
    for (let used = 0; used <= headers.length; used += 1) {
      const without = previous[used]!;
      let best: Matching = { cost: without.cost + unassignedCost, pairs: without.pairs };
      const header = headers[used - 1];
      const before = previous[used - 1];
      if (header && before) {
        const cost = before.cost + distance(cell, header);
        if (cost < best.cost) best = { cost, pairs: [...before.pairs, [cell, header]] };
        const shared = without.cost + distance(cell, header) + sharedHeaderCost;
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

/** The gap between a cell and a header. The distance of their centres decides between two headers with the same gap. */
function distance(cell: LayoutCell, header: LayoutCell): number {
  const gap = Math.max(0, -overlap(cell, header));
  return gap + 0.05 * Math.abs((cell.start + cell.end - header.start - header.end) / 2);
}
