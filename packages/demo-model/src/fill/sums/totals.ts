import { amountConcepts } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { conceptLabels } from '../captions/found-label.ts';
import { labelledValues } from '../captions/value-at-label.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import { readArithmeticRows } from '../tables/arithmetic-rows.ts';
import { readTable } from '../tables/table-rows.ts';
import { checkByRate, confirm } from './check-by-rate.ts';
import { checkTotal } from './check-total.ts';
import { sumsBelowHeadings } from './sums-below-headings.ts';
import { taxTableSums } from './tax-table.ts';

/** The sums of a document by the names of their concepts, without the sums that were not found. */
export type DocumentTotals = ReadonlyMap<string, Candidate<number>>;

/** The columns that identify a table of items. An amount in its rows is not a sum of the document. */
const itemTable = itemColumns
  .filter(({ name }) => ['description', 'quantity', 'unit_price', 'amount'].includes(name))
  .map((column) => ({ ...column, words: column.name }));

const maxCandidates = 6;
/** Net and tax that are the gross without a discount or a fee fit better. */
const exactFit = 0.05;
/** So many sums with cents show that a sum without cents was misread. */
const minSumsWithCents = 3;
/** Sums with a smaller difference are equal. */
const maxDifference = 0.0105;
/** Cash amounts are rounded by less than this. */
const maxCashRounding = 0.055;

/**
 * Reads the sums of a document together, because they confirm each other: among all candidates for net, tax and gross, it
 * prefers three that add up.
 */
export function readTotals(context: PageContext): DocumentTotals {
  const itemLines = new Set(readTable(context, itemTable).map(({ line }) => line.index));
  const candidates = new Map<string, Candidate<number>[]>();
  const belowHeadings = sumsBelowHeadings(context);
  const partLines = itemLines.union(belowHeadings.parts);
  const labelled = amountConcepts.map((concept) => [
    ...labelledValues(conceptLabels(concept, context), { kind: 'amount' }, context)
      .filter((sum): sum is Candidate<number> => typeof sum.value === 'number' && !partLines.has(sum.line.index))
      .map((sum) => withoutBrackets(sum, context)),
    ...(belowHeadings.sums.get(concept.name) ?? []),
  ]);
  const kept = new Set(withoutWholeSum(labelled.flat()));
  for (const [index, { name }] of amountConcepts.entries()) {
    candidates.set(name, preferLater(labelled[index]!.filter((sum) => kept.has(sum))));
  }
  const totals = new Map<string, Candidate<number>>();
  for (const [name, [best]] of candidates) if (best) totals.set(name, best);

  const triple = bestTriple(candidates);
  for (const [name, value] of Object.entries(triple)) if (value) totals.set(name, value);
  const byArithmetic = arithmeticTotals(context);
  if (!triple.total) for (const [name, sum] of byArithmetic) totals.set(name, sum);
  const byRates =
    triple.total || byArithmetic.size > 0
      ? undefined
      : taxTableSums(
          context,
          (candidates.get('total') ?? []).map(({ value }) => value),
        );
  // Where prices include taxes, the subtotal is the total.
  const isTaxIncluded = byRates?.get('total')?.value === totals.get('subtotal')?.value;
  for (const [name, sum] of byRates ?? []) if (name !== 'subtotal' || !isTaxIncluded) totals.set(name, sum);
  const isTooSmall = byRates?.size === 0 && isLessThanItsParts(totals, context);
  const netTotal =
    totals.has('total') && !isTooSmall
      ? undefined
      : candidates.get('subtotal')?.find((sum) => isNetTotal(sum, context));
  if (netTotal) totals.set('total', netTotal);
  else if (isTooSmall) totals.delete('total');
  const labelledTotals = labelled[amountConcepts.findIndex(({ name }) => name === 'total')]!;
  const total = checkTotal(totals, labelledTotals, context);
  if (total) totals.set('total', total);
  const rounded = roundedTotal(totals.get('total'), labelledTotals);
  if (rounded) totals.set('total', confirm(rounded));
  for (const [name, sum] of checkByRate(totals, context)) {
    if (sum) totals.set(name, sum);
    else totals.delete(name);
  }
  return withArithmetic(totals, candidates.get('total') ?? []);
}

/** The total that is paid in cash: a later total that is rounded to 5 or 10 cents. */
function roundedTotal(
  total: Candidate<number> | undefined,
  labelledTotals: readonly Candidate<number>[],
): Candidate<number> | undefined {
  return labelledTotals.findLast(({ value, line }) => {
    const difference = Math.abs(value - (total?.value ?? Number.NaN));
    const isRound = Math.abs(value * 20 - Math.round(value * 20)) < maxDifference;
    return isRound && difference > maxDifference / 2 && difference < maxCashRounding && line.index > total!.line.index;
  });
}

const hasCents = (written: string): boolean => /[.,]\d{2}(?!\d)/u.test(written);

/** Removes the only sum without cents among several with cents: a poor scan lost its cents. */
function withoutWholeSum(sums: Candidate<number>[]): Candidate<number>[] {
  const sumsWithCents = sums.filter(({ written }) => hasCents(written));
  const hasOneWhole = sums.length - sumsWithCents.length === 1;
  return hasOneWhole && sumsWithCents.length >= minSumsWithCents ? sumsWithCents : sums;
}

/** Sorts by fit, the later of equal ones first, without repeated values: sums are at the bottom, and later pages repeat them. */
function preferLater(found: Candidate<number>[]): Candidate<number>[] {
  const sorted = found.sort((a, b) => b.fit - a.fit || b.line.index - a.line.index);
  return sorted.filter(({ value }, index) => sorted.findIndex((other) => other.value === value) === index);
}

interface Triple {
  subtotal?: Candidate<number>;
  tax_amount?: Candidate<number>;
  total?: Candidate<number>;
}

/** The net, tax and gross with the best fit that add up, with or without a discount, shipping and a tip. */
function bestTriple(candidates: ReadonlyMap<string, Candidate<number>[]>): Triple {
  const candidatesFor = (name: string) => (candidates.get(name) ?? []).slice(0, maxCandidates);
  const adjustments = ['discount', 'shipping', 'tip'].map((name) => candidatesFor(name)[0]?.value ?? 0);
  const [discount = 0, shipping = 0, tip = 0] = adjustments;
  const allowed = [0, shipping, tip, shipping + tip, -Math.abs(discount), shipping - Math.abs(discount)];

  let best: Triple = {};
  let bestFit = 0;
  for (const subtotal of candidatesFor('subtotal')) {
    for (const total of candidatesFor('total')) {
      const gap = total.value - subtotal.value;
      const taxes = candidatesFor('tax_amount').filter((tax) =>
        allowed.some((adjustment) => Math.abs(gap - adjustment - tax.value) < 0.015),
      );
      for (const tax of taxes) {
        const isExact = Math.abs(gap - tax.value) < maxDifference;
        const fit = subtotal.fit + total.fit + tax.fit + (isExact ? exactFit : 0);
        if (fit > bestFit) {
          best = { subtotal: confirm(subtotal), tax_amount: confirm(tax), total: confirm(total) };
          bestFit = fit;
        }
      }
    }
  }
  return best;
}

/** Value added and sales taxes have rates between these. */
const minRate = 0.009;
const maxRate = 0.28;
/** The number of lines below the last row that can contain the sums. */
const maxDistance = 30;

/**
 * Finds the sums by arithmetic alone: the rows of items add up to the net amount, and net and tax add up to the gross. It
 * needs no label, so it works in any language. Empty when nothing adds up.
 */
function arithmeticTotals(context: PageContext): Map<string, Candidate<number>> {
  const rows = readArithmeticRows(context, { onlyWithText: true });
  const totals = new Map<string, Candidate<number>>();
  const last = rows.at(-1);
  if (!last) return totals;
  const sumOfRows = rows.reduce((sum, { values }) => sum + Number(values.get('amount')?.value ?? 0), 0);
  const amounts = amountsBelow(last.line.index, context);
  const findAmount = (wanted: number) => amounts.find(({ value }) => Math.abs(value - wanted) < maxDifference);
  const net = findAmount(sumOfRows);
  if (!net) return totals;
  for (const gross of amounts) {
    const taxValue = gross.value - net.value;
    if (taxValue < net.value * minRate || taxValue > net.value * maxRate) continue;
    const tax = findAmount(taxValue);
    if (tax) return totals.set('subtotal', net).set('tax_amount', tax).set('total', gross);
  }
  return totals;
}

function amountsBelow(index: number, context: PageContext): Candidate<number>[] {
  return context.lines.slice(index + 1, index + 1 + maxDistance).flatMap((line) => {
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
          hasCents(written) && !dates.some((date) => line.text.slice(date.start, date.end).includes(written)),
      );
  });
}

/** Words that mean that the sums above include a tax. */
const included = /(?<!\p{L})(?:inkl|incl|enthalten|darin|davon|dont|di cui|waarvan|of which|incluid)/u;

/** `enthaltene Steuer (35,13 €)`: brackets around a part that a sum includes are no minus. */
function withoutBrackets(sum: Candidate<number>, { lines }: PageContext): Candidate<number> {
  const isBracketed = sum.value < 0 && !/[-−]/u.test(sum.written);
  return isBracketed && included.test(fold(lines[sum.line.index]?.text ?? '')) ? { ...sum, value: -sum.value } : sum;
}

/** Whether the total is smaller than subtotal plus tax: then it is another sum, or was misread. */
function isLessThanItsParts(totals: DocumentTotals, { lines }: PageContext): boolean {
  const valueOf = (name: string) => totals.get(name)?.value ?? 0;
  const tax = totals.get('tax_amount');
  const isReduced = totals.has('discount') || valueOf('tax_amount') <= 0;
  const isIncluded = tax !== undefined && included.test(fold(lines[tax.line.index]?.text ?? ''));
  return !isReduced && totals.has('subtotal') && valueOf('total') - valueOf('subtotal') < (isIncluded ? 0 : 0.005);
}

/** Whether a sum is labelled as net total, which on receipts without another total is the amount to pay. */
function isNetTotal({ line }: Candidate<number>, { lines }: PageContext): boolean {
  return [line, lines[line.index + 1]].some((each) => each && /(?<!\p{L})nett? total/u.test(fold(each.text)));
}

/**
 * Marks the sums that others confirm or contradict. Net plus tax is the gross, cash less change is the total, and the
 * total can be printed twice. A sum without cents among sums with cents has lost its decimal point.
 */
function withArithmetic(totals: DocumentTotals, labelledTotals: readonly Candidate<number>[]): DocumentTotals {
  const valueOf = (name: string): number => totals.get(name)?.value ?? Number.NaN;
  const isEqual = (one: number, other: number): boolean => Math.abs(one - other) < maxDifference;
  const confirmedNames = new Set<string>();
  const contradictedNames = new Set<string>();
  if (isEqual(valueOf('subtotal') + valueOf('tax_amount'), valueOf('total')))
    for (const name of ['subtotal', 'tax_amount', 'total']) confirmedNames.add(name);
  if (isEqual(valueOf('cash') - valueOf('change'), valueOf('total')))
    for (const name of ['cash', 'change', 'total']) confirmedNames.add(name);
  if (labelledTotals.some(({ line, value }) => value === valueOf('total') && line !== totals.get('total')?.line))
    confirmedNames.add('total');
  const countWithCents = [...totals.values()].filter(({ written }) => hasCents(written)).length;
  for (const [name, { value, written }] of totals) {
    const canExceedTotal = ['total', 'cash', 'previous_balance'].includes(name);
    const isTooLarge = !canExceedTotal && value > valueOf('total') + maxDifference;
    if (isTooLarge || (!hasCents(written) && countWithCents >= minSumsWithCents)) contradictedNames.add(name);
  }
  const entries = [...totals].map(([name, sum]): [string, Candidate<number>] => {
    if (sum.arithmetic === 1 || confirmedNames.has(name)) return [name, confirm(sum)];
    return [name, contradictedNames.has(name) ? { ...sum, arithmetic: -1 } : sum];
  });
  return new Map(entries);
}
