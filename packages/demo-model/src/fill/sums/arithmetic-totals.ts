import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import type { Found, PageContext } from '../page-context.ts';
import { readArithmeticRows } from '../tables/arithmetic-rows.ts';

const CENT = 0.0105;
/** Rates of value added and sales taxes lie between these. */
const leastRate = 0.009;
const greatestRate = 0.28;
const fewestRows = 1;
/** Lines under the last row in which the sums of a paper stand. */
const reach = 30;

/** Reliability of sums that fit each other: above any label without a fit. */
const fitting = 6;

/**
 * The sums of a paper by arithmetic alone: the rows of goods add up to one of them, net and tax are the gross. It needs no
 * label, so it holds in any wording and language; where nothing adds up it says nothing.
 */
export function arithmeticTotals(context: PageContext): Map<string, Found<number>> {
  const rows = readArithmeticRows(context);
  const totals = new Map<string, Found<number>>();
  const last = rows.at(-1);
  if (!last || rows.length < fewestRows) return totals;
  const sum = rows.reduce((whole, { values }) => whole + Number(values.get('amount')?.value ?? 0), 0);
  const amounts = amountsBelow(last.line.index, context);
  const net = amounts.find(({ value }) => Math.abs(value - sum) < CENT);
  if (!net) return totals;
  for (const gross of amounts) {
    const tax = gross.value - net.value;
    if (tax < net.value * leastRate || tax > net.value * greatestRate) continue;
    const written = amounts.find(({ value }) => Math.abs(value - tax) < CENT);
    if (!written) continue;
    totals.set('subtotal', net).set('tax_amount', written).set('total', gross);
    return totals;
  }
  return totals;
}

function amountsBelow(index: number, context: PageContext): Found<number>[] {
  return context.lines.slice(index + 1, index + 1 + reach).flatMap((line) => {
    const dates = datesIn(line.text, context.dayOrder);
    return amountsIn(line.text, context.decimal)
      .map(({ value, start, end }): Found<number> => ({
        value,
        written: line.text.slice(start, end).trim(),
        line,
        score: fitting,
      }))
      .filter(
        ({ written }) =>
          /[.,]\d{2}(?!\d)/u.test(written) &&
          !dates.some((date) => line.text.slice(date.start, date.end).includes(written)),
      );
  });
}
