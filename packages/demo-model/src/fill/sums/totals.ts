import { fold } from '../../page/fold.ts';
import { arithmeticTotals } from './arithmetic-totals.ts';
import { amountConcepts } from './concepts-amounts.ts';
import { itemColumns } from '../tables/item-columns.ts';
import { labelledValues } from '../labelled-values.ts';
import { checkedTotal } from './checked-total.ts';
import type { Found, PageContext } from '../page-context.ts';
import { readTable } from '../tables/table-rows.ts';

/** The sums of a paper by the concept's name; a sum that was not found is missing. */
export type Totals = ReadonlyMap<string, Found<number>>;

/** The columns that identify the table of goods; an amount in its rows is not a sum of the paper. */
const itemTable = itemColumns
  .filter(({ name }) => ['description', 'quantity', 'unit_price', 'amount'].includes(name))
  .map((column) => ({ ...column, words: column.name }));

const candidatesTried = 6;
const sumsAgree = 4;
const fewestWithCents = 3;

/**
 * Reads the sums of a paper together, because they confirm each other: among all candidates for net, tax and gross, it
 * prefers three that add up.
 */
export function readTotals(context: PageContext): Totals {
  const rows = new Set(readTable(context, itemTable).map(({ line }) => line.index));
  const candidates = new Map<string, Found<number>[]>();
  const found = amountConcepts.map((concept) =>
    labelledValues(concept, context).filter(
      (sum): sum is Found<number> => typeof sum.value === 'number' && !rows.has(sum.line.index),
    ),
  );
  const totalAt = amountConcepts.findIndex(({ name }) => name === 'total');
  const kept = new Set(withCents(found.flat()));
  for (const [index, { name }] of amountConcepts.entries()) {
    candidates.set(name, preferLater(found[index]!.filter((sum) => kept.has(sum))));
  }
  const totals = new Map<string, Found<number>>();
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
  return totals;
}

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
function isNetTotal({ line }: Found<number>, { lines }: PageContext): boolean {
  return [line, lines[line.index + 1]].some(
    (one) => one !== undefined && /(?<!\p{L})nett? total/u.test(fold(one.text)),
  );
}

/** A sum in whole units among sums with cents has lost its cents, as in poor scans. */
function withCents(found: Found<number>[]): Found<number>[] {
  const isWhole = ({ written }: Found<number>) => !/[.,]\d{2}(?!\d)/u.test(written);
  const whole = found.filter(isWhole);
  return found.length - whole.length >= fewestWithCents && whole.length === 1
    ? found.filter((sum) => !isWhole(sum))
    : found;
}

/** Of equally reliable candidates, the later one: sums are at the bottom, and a later page repeats them correctly. */
function preferLater(found: Found<number>[]): Found<number>[] {
  const sorted = found.sort((a, b) => b.score - a.score || b.line.index - a.line.index);
  return sorted.filter((value, index) => sorted.findIndex((other) => other.value === value.value) === index);
}

interface Triple {
  subtotal?: Found<number>;
  tax_amount?: Found<number>;
  total?: Found<number>;
}

function bestTriple(candidates: ReadonlyMap<string, Found<number>[]>): Triple {
  const of = (name: string) => (candidates.get(name) ?? []).slice(0, candidatesTried);
  const adjustments = ['discount', 'shipping', 'tip'].map((name) => of(name)[0]?.value ?? 0);
  const [discount = 0, shipping = 0, tip = 0] = adjustments;
  const allowed = [0, shipping, tip, shipping + tip, -Math.abs(discount), shipping - Math.abs(discount)];

  let best: Triple = {};
  let bestScore = sumsAgree;
  for (const subtotal of of('subtotal')) {
    for (const total of of('total')) {
      const gap = total.value - subtotal.value;
      const taxes = of('tax_amount').filter((tax) =>
        allowed.some((extra) => Math.abs(gap - extra - tax.value) < 0.015),
      );
      for (const tax of taxes) {
        const score = sumsAgree + subtotal.score + total.score + tax.score;
        if (score > bestScore) {
          best = { subtotal, tax_amount: tax, total };
          bestScore = score;
        }
      }
    }
  }
  return best;
}
