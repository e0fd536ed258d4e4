import { shareOf } from '@docwright/language';
import type { LayoutCell, Line } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import type { Reading } from '../reading/read-value.ts';
import type { TableRow } from './table-rows.ts';

/** The largest difference that is explained by rounding a product to cents. */
const maxRoundingError = 0.0105;
const maxQuantity = 100_000;

interface WrittenNumber extends Reading {
  value: number;
  start: number;
  hasCents: boolean;
}

/**
 * Reads rows in which a quantity times a price equals an amount, whatever their order and the headers are. The description
 * is the longest text of the row, or that of the lines above it. Sums of taxes without a text look like rows too, so
 * `onlyWithText` leaves out rows whose text is above them.
 */
export function readArithmeticRows(context: PageContext, { onlyWithText = false } = {}): TableRow[] {
  const rows: TableRow[] = [];
  for (const line of context.lines) {
    const product = productIn(line, context);
    if (!product) continue;
    const previous = rows.at(-1)?.line.index ?? 0;
    const description = descriptionOf(line) ?? (onlyWithText ? undefined : descriptionAbove(line, previous, context));
    if (description === undefined) continue;
    const [quantity, price, amount] = product;
    rows.push({
      line,
      values: new Map<string, Reading>([
        ['description', { value: description, written: description }],
        ['quantity', quantity],
        ['unit_price', price],
        ['amount', amount],
      ]),
    });
  }
  return rows;
}

function productIn(line: Line, context: PageContext): [WrittenNumber, WrittenNumber, WrittenNumber] | undefined {
  if (line.cells.length < 2 || datesIn(line.text, context.dayOrder).length > 0) return undefined;
  const numbers = numbersIn(line, context).map((number, _, all) => withPoint(number, all));
  for (const amount of numbers.toReversed()) {
    if (!amount.hasCents) continue;
    for (const price of numbers) {
      if (price === amount || !price.hasCents || price.value <= 0) continue;
      const quantity = numbers.find(
        (other) =>
          other.start < price.start &&
          other !== amount &&
          other.value > 0 &&
          other.value < maxQuantity &&
          Math.abs(other.value * price.value - amount.value) < maxRoundingError,
      );
      if (!quantity) continue;
      // With a quantity of 1 the price equals the amount: the last one is the amount.
      return price.value === amount.value && price.start > amount.start
        ? [quantity, amount, price]
        : [quantity, price, amount];
    }
  }
  return undefined;
}

/** `2 X 2.10 420`: a scan lost the point of a number of which another one of its row is a multiple. */
function withPoint(number: WrittenNumber, all: readonly WrittenNumber[]): WrittenNumber {
  const value = number.value / 100;
  const isMultiple = all.some(
    (other) =>
      other.hasCents &&
      all.some(
        (count) =>
          count !== other &&
          count !== number &&
          !count.hasCents &&
          [value / other.value, other.value / value].some((share) => Math.abs(share - count.value) < 1e-6),
      ),
  );
  return isMultiple && /^\d{3,}$/u.test(number.written) ? { ...number, value, hasCents: true } : number;
}

function numbersIn(line: Line, context: PageContext): WrittenNumber[] {
  return line.cells.flatMap((cell) => {
    // A number between words belongs to the description, such as a length or a weight.
    const amounts = amountsIn(cell.text, context.decimal);
    return amounts
      .filter(({ start, end }) => !/\p{L}/u.test(cell.text) || start === 0 || end === cell.text.length)
      .map(({ value, start, end }) => {
        const written = cell.text.slice(start, end).trim();
        return { value, written, start: cell.start + start, hasCents: /[.,]\d{2}(?!\d)/u.test(written) };
      });
  });
}

/** The largest number of lines between the text of an item and its numbers, such as those of its codes. */
const maxLinesAbove = 3;

/** The text of an item whose numbers are on a line of their own: the first line after the row before, without a gap. */
function descriptionAbove(line: Line, previous: number, context: PageContext): string | undefined {
  let description: string | undefined;
  for (let index = line.index - 1; index > Math.max(previous, line.index - 1 - maxLinesAbove); index -= 1) {
    const above = context.lines[index];
    if (!above || above.page !== line.page || above.cells.length === 0 || isHeader(above)) break;
    const text = descriptionOf(above);
    if (text !== undefined && amountsIn(text, context.decimal).every(({ end }) => end < text.length))
      description = text;
  }
  return description;
}

function isHeader({ cells }: Line): boolean {
  const isKnown = (cell: LayoutCell): boolean => itemColumns.some(({ headers }) => shareOf(cell, headers) > 0.5);
  return cells.filter(isKnown).length >= 2;
}

/** A code of an article or of a tax, alone or after a number. */
const codeAlone = /^(?:[\d.,]+ )?(?:\*?[A-Z]{1,4}|[A-Z\d-]*\d[A-Z\d -]*\/\d+)$/u;

function descriptionOf({ cells }: Line): string | undefined {
  const texts = cells
    .map(({ text }) => text.replace(/^\d{1,3} (?=\p{L}{2})/u, '').replace(/\s+[\d.,]+$/u, ''))
    .filter(
      (text) =>
        /\p{L}{2}/u.test(text) &&
        !codeAlone.test(text) &&
        !/^(?:[A-Z]{1,4}[-\d][\w/-]*|\p{Sc}.*|[A-Z]{3} [\d.,]+)$/u.test(text),
    );
  return texts.sort((a, b) => b.length - a.length)[0];
}
