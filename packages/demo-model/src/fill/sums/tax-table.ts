import { fold } from '../../page/fold.ts';
import type { Line } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';

/** A row of a table of taxes: what the tax is taken of, and the tax. */
interface TaxRow {
  line: Line;
  base: number;
  tax: number;
}

/** Taxes are rounded to cents. */
const maxRoundingError = 0.0105;
const maxRate = 30;
const maxRows = 12;
/** Lines without a row between two rows of one table. */
const maxGap = 2;

/**
 * The sums of a table with a row for each tax rate: the tax is the sum of its taxes, the net that of its bases, and both together are
 * printed elsewhere as the gross. Empty where nothing adds up.
 *
 * @param totals what labels say that the gross can be; any other amount if there are none
 * @example
 * taxTableSums(context, []); // of `7 %  100.00  7.00`, `19 %  50.00  9.50` and `Total 166.50`: 150, 16.50 and 166.50
 */
export function taxTableSums(context: PageContext, totals: readonly number[]): Map<string, Candidate<number>> {
  for (const table of tablesOf(context).reverse()) {
    const [net, tax] = [sumOf(table.map(({ base }) => base)), sumOf(table.map((row) => row.tax))];
    const gross = grossOf(net + tax, table, context);
    const isLabelled = totals.length === 0 || totals.some((total) => Math.abs(total - (gross?.value ?? 0)) < 0.005);
    const { line } = table.at(-1)!;
    const asSum = (value: number): Candidate<number> => {
      const rounded = Math.round(value * 100) / 100;
      return { value: rounded, written: rounded.toFixed(2), line, source: 'place', fit: 1, arithmetic: 1 };
    };
    if (gross && isLabelled) {
      return new Map([
        ['subtotal', asSum(net)],
        ['tax_amount', asSum(tax)],
        ['total', { ...asSum(gross.value), line: gross.line }],
      ]);
    }
  }
  return new Map();
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Runs of lines that are rows of taxes. */
function tablesOf(context: PageContext): TaxRow[][] {
  const tables: TaxRow[][] = [];
  for (const line of context.lines) {
    const row = taxRow(line, context);
    if (!row) continue;
    const last = tables.at(-1);
    const previous = last?.at(-1)?.line;
    const goesOn = previous?.page === line.page && line.index - previous.index <= maxGap;
    if (last && goesOn && last.length < maxRows) last.push(row);
    else tables.push([row]);
  }
  return tables;
}

/** Reads `19.00 %  125.73  661.76  787.49`: one amount is a share of another one, and the line has no more text than a name of the tax. */
function taxRow(line: Line, { decimal }: PageContext): TaxRow | undefined {
  const words = fold(line.text).match(/\p{L}{3,}/gu) ?? [];
  if (words.length > maxWords) return undefined;
  const amounts = amountsIn(line.text, decimal)
    .map(({ value, start, end }) => ({ value, written: line.text.slice(start, end) }))
    .filter(({ written }) => /[.,]\d{2}(?!\d)/u.test(written));
  const rates = [...line.text.matchAll(/(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)(?=\s?%|\s{2}|\s*$)/gu)]
    .map(([, rate = '']) => Number(rate.replace(',', '.')))
    .filter((rate) => rate <= maxRate);
  for (const rate of rates) {
    for (const { value: base } of amounts) {
      const tax = amounts.find(({ value }) => Math.abs(value - (base * rate) / 100) < maxRoundingError);
      if (tax && tax.value >= 0 && tax.value < base) return { line, base, tax: tax.value };
    }
  }
  return undefined;
}

/** A row of an item has more words. */
const maxWords = 3;

/** The amount on another line that net and tax add up to; each row can be rounded. */
function grossOf(
  sum: number,
  table: readonly TaxRow[],
  { lines, decimal }: PageContext,
): { value: number; line: Line } | undefined {
  const own = new Set(table.map(({ line }) => line));
  const tolerance = maxRoundingError * table.length;
  for (const line of lines.filter((other) => !own.has(other)).toReversed()) {
    const found = amountsIn(line.text, decimal).find(({ value }) => Math.abs(value - sum) < tolerance);
    if (found) return { value: found.value, line };
  }
  return undefined;
}
