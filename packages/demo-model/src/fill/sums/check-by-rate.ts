import { amountsIn } from '../../values/amount.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';
import { isMisread } from './check-total.ts';

type Sum = Candidate<number>;

/** Sums with a smaller difference are equal, because their parts are rounded. */
const maxRoundingError = 0.015;
const maxRate = 30;
const percent = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?%/gu;

/**
 * Checks net, tax and gross by the tax rate when they do not add up: the two that fit the rate are right. The third one is
 * corrected if one misread character or a lost decimal point explains it. An unexplained tax is left out (`undefined`). An
 * unexplained net or gross stays, because discounts and fees change them too.
 */
export function checkByRate(
  totals: ReadonlyMap<string, Sum>,
  context: PageContext,
): ReadonlyMap<string, Sum | undefined> {
  const [net, tax, gross] = ['subtotal', 'tax_amount', 'total'].map((name) => totals.get(name));
  if (!net || !tax || (gross && isEqual(net.value + tax.value, gross.value))) return new Map();
  for (const rate of ratesBeside(tax, context)) {
    // `304259` is `3042.59` without its point.
    const netWithPoint: Sum = { ...net, value: net.value / 100 };
    if (/^\D*\d+\D*$/u.test(net.written) && isEqual((netWithPoint.value * rate) / 100, tax.value)) {
      return new Map([
        ['subtotal', confirm(netWithPoint)],
        ['tax_amount', confirm(tax)],
      ]);
    }
    if (!gross) continue;
    const taxOfNet = (net.value * rate) / 100;
    if (isEqual(taxOfNet, tax.value)) {
      return new Map([
        ['subtotal', confirm(net)],
        ['tax_amount', confirm(tax)],
        ['total', correct(gross, net.value + tax.value, context) ?? gross],
      ]);
    }
    if (isEqual((gross.value * rate) / (100 + rate), tax.value)) {
      return new Map([
        ['tax_amount', confirm(tax)],
        ['total', confirm(gross)],
        ['subtotal', correct(net, gross.value - tax.value, context) ?? net],
      ]);
    }
    if (isEqual(net.value + taxOfNet, gross.value)) {
      return new Map([
        ['subtotal', confirm(net)],
        ['total', confirm(gross)],
        ['tax_amount', correct(tax, gross.value - net.value, context)],
      ]);
    }
  }
  return new Map();
}

/** Whether the document prints the difference of two sums with a minus, as a discount: then both can be right. */
function isExplained(one: number, other: number, { lines, decimal }: PageContext): boolean {
  return lines.some(({ text }) => amountsIn(text, decimal).some(({ value }) => isEqual(value, -Math.abs(one - other))));
}

/** Marks a sum as confirmed by others. */
export function confirm(sum: Sum): Sum {
  return { ...sum, arithmetic: 1 };
}

/** The sum with the expected value, if one misread character explains the difference and the document does not. */
function correct(sum: Sum, expected: number, context: PageContext): Sum | undefined {
  const value = Math.round(expected * 100) / 100;
  return isMisread(sum.written, value) && !isExplained(sum.value, value, context)
    ? confirm({ ...sum, value })
    : undefined;
}

/** The rates on the line of a tax. */
function ratesBeside({ line }: Sum, { lines }: PageContext): number[] {
  return [...(lines[line.index]?.text ?? '').matchAll(percent)]
    .map(([, rate = '']) => Number(rate.replace(',', '.')))
    .filter((rate) => rate > 0 && rate <= maxRate);
}

function isEqual(one: number, other: number): boolean {
  return Math.abs(one - other) < maxRoundingError;
}
