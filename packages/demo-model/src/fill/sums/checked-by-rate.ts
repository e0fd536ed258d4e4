import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';
import { isMisread } from './checked-total.ts';

type Sum = Candidate<number>;

/** Two sums that differ by less are equal after rounding. */
const ROUNDED = 0.015;
const GREATEST_RATE = 30;
const percent = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?%/gu;

/**
 * Where net, tax and gross do not add up, the rate beside the tax tells which one was misread: the two others fit the rate. It is
 * corrected where one character or a missing point explains it. A tax that is not explained is left out (`undefined`); a net or a
 * gross stays, because discounts and fees change them too.
 */
export function checkedByRate(
  totals: ReadonlyMap<string, Sum>,
  context: PageContext,
): ReadonlyMap<string, Sum | undefined> {
  const [net, tax, gross] = ['subtotal', 'tax_amount', 'total'].map((name) => totals.get(name));
  if (!net || !tax || (gross && isEqual(net.value + tax.value, gross.value))) return new Map();
  for (const rate of ratesBeside(tax, context)) {
    // Not `3042.59` but `304259`.
    const whole: Sum = { ...net, value: net.value / 100 };
    if (/^\D*\d+\D*$/u.test(net.written) && isEqual((whole.value * rate) / 100, tax.value)) {
      return new Map([
        ['subtotal', confirmed(whole)],
        ['tax_amount', confirmed(tax)],
      ]);
    }
    if (!gross) continue;
    const netTax = (net.value * rate) / 100;
    if (isEqual(netTax, tax.value)) {
      return new Map([
        ['subtotal', confirmed(net)],
        ['tax_amount', confirmed(tax)],
        ['total', corrected(gross, net.value + tax.value) ?? gross],
      ]);
    }
    if (isEqual((gross.value * rate) / (100 + rate), tax.value)) {
      return new Map([
        ['tax_amount', confirmed(tax)],
        ['total', confirmed(gross)],
        ['subtotal', corrected(net, gross.value - tax.value) ?? net],
      ]);
    }
    if (isEqual(net.value + netTax, gross.value)) {
      return new Map([
        ['subtotal', confirmed(net)],
        ['total', confirmed(gross)],
        ['tax_amount', corrected(tax, gross.value - net.value)],
      ]);
    }
  }
  return new Map();
}

const confirmed = (sum: Sum): Sum => ({ ...sum, arithmetic: 1 });

function corrected(sum: Sum, implied: number): Sum | undefined {
  const value = Math.round(implied * 100) / 100;
  return isMisread(sum.written, value) ? confirmed({ ...sum, value }) : undefined;
}

/** The rates in the line of a tax. */
function ratesBeside({ line }: Sum, { lines }: PageContext): number[] {
  return [...(lines[line.index]?.text ?? '').matchAll(percent)]
    .map(([, rate = '']) => Number(rate.replace(',', '.')))
    .filter((rate) => rate > 0 && rate <= GREATEST_RATE);
}

function isEqual(one: number, other: number): boolean {
  return Math.abs(one - other) < ROUNDED;
}
