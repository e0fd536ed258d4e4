import { shareOf } from '@docwright/language';
import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import type { Reading } from '../reading/read-value.ts';
import { type ItemLine, type ItemNumber, itemText, readItemLine } from './receipt-line.ts';
import { isFoot, type TableRow } from './table-rows.ts';

/** The items of a receipt. */
export interface ReceiptItems {
  rows: TableRow[];
  /** Whether their amounts add up to a sum of the receipt. */
  isSumRight: boolean;
}

/** A receipt starts with its letterhead. */
const firstItemLine = 2;
const maxItems = 500;
const maxLinesBelowHeader = 5;
/** Columns by which the amounts of a column end apart. */
const maxShift = 3;
const maxRoundingError = 0.0105;
/** Lines that stand below the items, besides those of sums. */
const afterItems =
  /^(?:\W|\d{1,3}\s)*(?:cash(?!ier)|change\b|visa\b|master ?card|card\b|paid\b|payment|rounding|service (?:charge|tax)|(?:total |item )?(?:qty|quantity|items?)\W*(?:s\)?)?\W*\d|(?:gst|vat|sst|tax|mwst|tva|iva|btw)\b.*\d[.,]\d{2}\b|bar\b|gegeben|ruckgeld|rendu|especes|contanti|resto\b|efectivo|cambio\b|contant|wisselgeld)/u;

/**
 * Reads the items of a receipt. Each has a line that ends with its amount; its text is before the amount, or on the lines above
 * or below if the line has numbers alone.
 */
export function readReceiptItems(context: PageContext): ReceiptItems {
  const { lines } = context;
  const none: ReceiptItems = { rows: [], isSumRight: false };
  const found = lines.map((line) =>
    line.index < firstItemLine || isOther(line, context) || isAfterItems(line)
      ? undefined
      : readItemLine(line, context),
  );
  const header = lines.find(
    (line) =>
      line.index >= firstItemLine &&
      isItemHeader(line) &&
      found.slice(line.index + 1, line.index + 1 + maxLinesBelowHeader).some((item) => item !== undefined),
  );
  const first = found.findIndex((item, index) => item && (header ? index > header.index : item.amount.hasCents));
  if (first === -1) return none;
  const end = lines.findIndex((line) => line.index > first && isAfterItems(line));
  // Without sums below them, lines with amounts are not the items of a receipt.
  const sums = end === -1 ? [] : lines.slice(end).flatMap(({ text }) => centsIn(text, context));
  if (sums.length === 0) return none;
  const ends = found.flatMap((item) => (item?.amount.hasCents === true ? [item.amount.end] : []));
  const start = header ? header.index + 1 : Math.max(firstItemLine, first - maxLinesBetween);
  const items = found
    .slice(start, end)
    .filter((item) => item !== undefined)
    .filter(
      ({ amount }) =>
        amount.hasCents ||
        ends.some((column) => Math.abs(column - amount.end) <= maxShift) ||
        header?.cells.some((cell) => isOf('amount', cell) && overlap(cell, amount) > 0),
    );
  const described = withTexts(items.slice(0, maxItems), { start, end, header }, context);
  const rows = described.map(({ item, text }) => toRow(restoreCents(item, sums), text, header));
  const sum = rows.reduce((total, { values }) => total + Number(values.get('amount')!.value), 0);
  const isSumRight = rows.length > 0 && sums.some((other) => Math.abs(other - sum) < maxRoundingError);
  return { rows: rows.map((row) => ({ ...row, isConfirmed: row.isConfirmed === true || isSumRight })), isSumRight };
}

/** Whether a line has the captions of at least two columns of items. */
export function isItemHeader({ cells }: Line): boolean {
  return cells.filter((cell) => itemColumns.some(({ headers }) => shareOf(cell, headers) > 0.5)).length >= 2;
}

function isAfterItems(line: Line): boolean {
  if (line.cells.length === 0) return false;
  return isFoot(line) || afterItems.test(line.cells.map(({ folded }) => folded).join(' '));
}

/** Whether a line with an amount is no item: it has a date, or a caption with a colon. */
function isOther({ text }: Line, { dayOrder }: PageContext): boolean {
  return datesIn(text, dayOrder).length > 0 || /\p{L}\s*:/u.test(text);
}

function centsIn(text: string, { decimal }: PageContext): number[] {
  return amountsIn(text, decimal)
    .filter(({ start, end }) => /[.,]\d{2}(?!\d)/u.test(text.slice(start, end)))
    .map(({ value }) => value);
}

interface Zone {
  start: number;
  end: number;
  header: Line | undefined;
}

interface DescribedItem {
  item: ItemLine;
  text: string;
}

/** The most lines between the text of an item and its numbers, such as those of its codes. */
const maxLinesBetween = 3;

function withTexts(items: readonly ItemLine[], zone: Zone, context: PageContext): DescribedItem[] {
  const bare = items.filter(({ text }) => text === undefined);
  const isBelow =
    zone.header !== undefined &&
    bare.length > 0 &&
    bare.length === items.length &&
    textsBetween(zone.start, bare[0]!.line.index, context).length === 0;
  return items.flatMap((item, index) => {
    const [from, to] = isBelow
      ? [item.line.index + 1, items[index + 1]?.line.index ?? zone.end]
      : [(items[index - 1]?.line.index ?? zone.start - 1) + 1, item.line.index];
    const texts = item.text === undefined ? textsBetween(from, to, context) : [];
    // What is between two items belongs to the second one; the first item can have other lines above it.
    const found = item.text ?? (index === 0 && !isBelow && zone.header === undefined ? texts.at(-1) : texts[0]);
    return found === undefined ? [] : [{ item, text: found }];
  });
}

/** The texts of the lines from `from` to `to` without those of codes, the nearest lines only. */
function textsBetween(from: number, to: number, context: PageContext): string[] {
  const lines = context.lines.slice(from, to).filter(({ cells }) => cells.length > 0);
  return lines.slice(-maxLinesBetween).flatMap((line) => {
    const text = isOther(line, context) ? undefined : itemText(line.text.trim().replaceAll(/\s+/gu, ' '));
    return text === undefined ? [] : [text];
  });
}

/** `5 X 210 1050`: a scan loses points. On a receipt whose sums have cents, a number without cents that cannot be a count has them. */
function restoreCents(item: ItemLine, sums: readonly number[]): ItemLine {
  const largest = Math.max(...sums);
  const restored = (number: ItemNumber): ItemNumber =>
    number.hasCents || number.isCount || !/^\d{3,}$/u.test(number.written)
      ? number
      : { ...number, value: number.value / 100, hasCents: true };
  const amount = restored(item.amount);
  // Whole amounts in a column of their own are what they are.
  if (!item.amount.hasCents && item.amount.value <= largest && !isLikelyCents(item, largest)) return item;
  return { ...item, amount, numbers: item.numbers.map(restored) };
}

function isLikelyCents({ amount, numbers }: ItemLine, largest: number): boolean {
  if (amount.written.startsWith('0')) return true;
  // Sums have cents, so all amounts have them.
  return amount.value > largest / 100 || numbers.some(({ hasCents }) => hasCents);
}

/** Whether a cell is the header of a usual column. */
function isOf(column: 'quantity' | 'amount', cell: LayoutCell): boolean {
  return itemColumns.some(({ name, headers }) => name === column && shareOf(cell, headers) > 0.5);
}

function toRow({ line, numbers, countBefore, amount }: ItemLine, text: string, header: Line | undefined): TableRow {
  const prices = numbers.filter(({ isCount }) => !isCount);
  const isProduct = (count: ItemNumber, price: ItemNumber): boolean =>
    count !== price && Math.abs(count.value * price.value - amount.value) < maxRoundingError;
  const counts = [...numbers, ...(countBefore ? [countBefore] : [])];
  const withPrice = counts
    .filter(({ value }) => value > 0)
    .flatMap((count) =>
      prices.filter((price) => price.hasCents && isProduct(count, price)).map((price) => ({ count, price })),
    )[0];
  const wholes = numbers.filter(({ hasCents, value }) => !hasCents && Number.isInteger(value) && value > 0);
  const underHeader = wholes.find((number) =>
    header?.cells.some((cell) => isOf('quantity', cell) && overlap(cell, number) > 0),
  );
  const quantity =
    withPrice?.count ??
    numbers.find(({ isCount }) => isCount) ??
    underHeader ??
    (wholes.length === 1 ? wholes[0] : undefined) ??
    countBefore;
  const price = withPrice?.price ?? prices.findLast(({ hasCents }) => hasCents);
  const values = new Map<string, Reading>([['description', { value: text, written: text }]]);
  if (quantity) values.set('quantity', quantity);
  if (price && price !== quantity) values.set('unit_price', price);
  values.set('amount', amount);
  return { line, values, isConfirmed: withPrice !== undefined };
}
