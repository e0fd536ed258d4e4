import { fold } from '../../page/fold.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { labelledValues } from '../captions/labelled-values.ts';
import { amountConcepts } from '../labels/concepts-amounts.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import { readArithmeticRows } from '../tables/arithmetic-rows.ts';
import { readTable } from '../tables/table-rows.ts';
import { checkedByRate } from './checked-by-rate.ts';
import { checkedTotal } from './checked-total.ts';

/** The sums of a paper by the concept's name; a sum that was not found is missing. */
export type Totals = ReadonlyMap<string, Candidate<number>>;

/** The columns that identify the table of goods; an amount in its rows is not a sum of the paper. */
const itemTable = itemColumns
  .filter(({ name }) => ['description', 'quantity', 'unit_price', 'amount'].includes(name))
  .map((column) => ({ ...column, words: column.name }));

const candidatesTried = 6;
const fewestWithCents = 3;

/**
 * Reads the sums of a paper together, because they confirm each other: among all candidates for net, tax and gross, it
 * prefers three that add up.
 */
export function readTotals(context: PageContext): Totals {
  const rows = new Set(readTable(context, itemTable).map(({ line }) => line.index));
  const candidates = new Map<string, Candidate<number>[]>();
  const found = amountConcepts.map((concept) =>
    labelledValues(concept, context).filter(
      (sum): sum is Candidate<number> => typeof sum.value === 'number' && !rows.has(sum.line.index),
    ),
  );
  const totalAt = amountConcepts.findIndex(({ name }) => name === 'total');
  const kept = new Set(withCents(found.flat()));
  for (const [index, { name }] of amountConcepts.entries()) {
    candidates.set(name, preferLater(found[index]!.filter((sum) => kept.has(sum))));
  }
  const totals = new Map<string, Candidate<number>>();
  for (const [name, [best]] of candidates) if (best) totals.set(name, best);

  const best = bestTriple(candidates);
  for (const [name, value] of Object.entries(best)) if (value) totals.set(name, value);
  const byArithmetic = arithmeticTotals(context);
  if (!best.total) for (const [name, sum] of byArithmetic) totals.set(name, sum);
  const isTooSmall = !best.total && byArithmetic.size === 0 && isLessThanItsParts(totals, context);
  const netTotal =
    totals.has('total') && !isTooSmall
      ? undefined
      : candidates.get('subtotal')?.find((sum) => isNetTotal(sum, context));
  if (netTotal) totals.set('total', netTotal);
  else if (isTooSmall) totals.delete('total');
  const total = checkedTotal(totals, found[totalAt]!, context);
  if (total) totals.set('total', total);
  for (const [name, sum] of checkedByRate(totals, context)) {
    if (sum) totals.set(name, sum);
    else totals.delete(name);
  }
  return vouchedFor(totals, candidates.get('total') ?? []);
}

/**
 * Marks sums that others confirm, and those that contradict each other: net and tax are the gross, cash less change is the
 * total, a total is printed twice, and a sum without cents among sums with cents has lost its point.
 */
function vouchedFor(totals: ReadonlyMap<string, Candidate<number>>, gross: readonly Candidate<number>[]): Totals {
  const of = (name: string): number => totals.get(name)?.value ?? Number.NaN;
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) < CENT;
  const confirmed = new Set<string>();
  const contradicted = new Set<string>();
  if (isNear(of('subtotal') + of('tax_amount'), of('total'))) for (const name of goodsSums) confirmed.add(name);
  if (isNear(of('cash') - of('change'), of('total'))) for (const name of tillSums) confirmed.add(name);
  if (gross.some(({ line, value }) => value === of('total') && line !== totals.get('total')?.line))
    confirmed.add('total');
  const withCents = [...totals.values()].filter(({ written }) => hasCents(written)).length;
  for (const [name, { value, written }] of totals) {
    const isBeyond = name !== 'total' && value > of('total') + CENT && !['cash', 'previous_balance'].includes(name);
    if (isBeyond || (!hasCents(written) && withCents >= fewestWithCents)) contradicted.add(name);
  }
  const entries = [...totals].map(([name, sum]): [string, Candidate<number>] => {
    if (sum.arithmetic === 1 || confirmed.has(name)) return [name, { ...sum, arithmetic: 1 }];
    return [name, contradicted.has(name) ? { ...sum, arithmetic: -1 } : sum];
  });
  return new Map(entries);
}

const goodsSums = ['subtotal', 'tax_amount', 'total'];
const tillSums = ['cash', 'change', 'total'];
const hasCents = (written: string): boolean => /[.,]\d{2}(?!\d)/u.test(written);

/** Words that mean that the sums above include a tax. */
const included = /(?<!\p{L})(?:inkl|incl|enthalten|darin|davon|dont|di cui|waarvan|of which|incluid)/u;

/** A "total" smaller than subtotal plus tax is another sum, or was misread. */
function isLessThanItsParts(totals: Totals, { lines }: PageContext): boolean {
  const of = (name: string) => totals.get(name)?.value ?? 0;
  const tax = totals.get('tax_amount');
  const isReduced = totals.has('discount') || of('tax_amount') <= 0;
  const isIncluded = tax !== undefined && included.test(fold(lines[tax.line.index]?.text ?? ''));
  return !isReduced && totals.has('subtotal') && of('total') - of('subtotal') < (isIncluded ? 0 : 0.005);
}

/** Receipts call the amount to pay their net total. It is the total when the paper names no other. */
function isNetTotal({ line }: Candidate<number>, { lines }: PageContext): boolean {
  return [line, lines[line.index + 1]].some(
    (one) => one !== undefined && /(?<!\p{L})nett? total/u.test(fold(one.text)),
  );
}

/** A sum in whole units among sums with cents has lost its cents, as in poor scans. */
function withCents(found: Candidate<number>[]): Candidate<number>[] {
  const isWhole = ({ written }: Candidate<number>) => !hasCents(written);
  const whole = found.filter(isWhole);
  return found.length - whole.length >= fewestWithCents && whole.length === 1
    ? found.filter((sum) => !isWhole(sum))
    : found;
}

/** Of equally reliable candidates, the later one: sums are at the bottom, and a later page repeats them correctly. */
function preferLater(found: Candidate<number>[]): Candidate<number>[] {
  const sorted = found.sort((a, b) => b.fit - a.fit || b.line.index - a.line.index);
  return sorted.filter((value, index) => sorted.findIndex((other) => other.value === value.value) === index);
}

const confirmed = (sum: Candidate<number>): Candidate<number> => ({ ...sum, arithmetic: 1 });

interface Triple {
  subtotal?: Candidate<number>;
  tax_amount?: Candidate<number>;
  total?: Candidate<number>;
}

function bestTriple(candidates: ReadonlyMap<string, Candidate<number>[]>): Triple {
  const of = (name: string) => (candidates.get(name) ?? []).slice(0, candidatesTried);
  const adjustments = ['discount', 'shipping', 'tip'].map((name) => of(name)[0]?.value ?? 0);
  const [discount = 0, shipping = 0, tip = 0] = adjustments;
  const allowed = [0, shipping, tip, shipping + tip, -Math.abs(discount), shipping - Math.abs(discount)];

  let best: Triple = {};
  let bestFit = 0;
  for (const subtotal of of('subtotal')) {
    for (const total of of('total')) {
      const gap = total.value - subtotal.value;
      const taxes = of('tax_amount').filter((tax) =>
        allowed.some((extra) => Math.abs(gap - extra - tax.value) < 0.015),
      );
      for (const tax of taxes) {
        const fit = subtotal.fit + total.fit + tax.fit;
        if (fit > bestFit) {
          best = { subtotal: confirmed(subtotal), tax_amount: confirmed(tax), total: confirmed(total) };
          bestFit = fit;
        }
      }
    }
  }
  return best;
}

const CENT = 0.0105;
/** Rates of value added and sales taxes lie between these. */
const leastRate = 0.009;
const greatestRate = 0.28;
const fewestRows = 1;
/** Lines under the last row in which the sums of a paper stand. */
const reach = 30;

/**
 * The sums of a paper by arithmetic alone: the rows of goods add up to one of them, net and tax are the gross. It needs no
 * label, so it holds in any wording and language; where nothing adds up it says nothing.
 */
function arithmeticTotals(context: PageContext): Map<string, Candidate<number>> {
  const rows = readArithmeticRows(context);
  const totals = new Map<string, Candidate<number>>();
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

function amountsBelow(index: number, context: PageContext): Candidate<number>[] {
  return context.lines.slice(index + 1, index + 1 + reach).flatMap((line) => {
    const dates = datesIn(line.text, context.dayOrder);
    return amountsIn(line.text, context.decimal)
      .map(({ value, start, end }): Candidate<number> => ({
        value,
        written: line.text.slice(start, end).trim(),
        line,
        source: 'place',
        fit: 1,
        arithmetic: 1,
      }))
      .filter(
        ({ written }) =>
          /[.,]\d{2}(?!\d)/u.test(written) &&
          !dates.some((date) => line.text.slice(date.start, date.end).includes(written)),
      );
  });
}
