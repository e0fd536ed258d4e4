import { amountsIn } from '../../values/amount.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';

/** Sums with a smaller difference than this are equal. */
const CENT = 0.005;
/** Cash amounts are rounded by less than this. */
const ROUNDED = 0.055;
/** A sum in this form is complete. It is corrected only when another sum confirms the correction. */
const withCents = /\d[.,]\d{2}(?!\d)/u;
/** Maximum number of digits that were misread, missed or read twice. */
const MOST_MISREAD = 1;
/** Lines under subtotal and tax in which their sum can be printed without a label, */
const REACH = 6;

/**
 * Computes the total from the paper's own numbers: payment less change, or subtotal plus tax. It is used when it is
 * printed on the paper, or when the labelled total differs from it only in one character that a scan misread; undefined
 * when no correction is needed.
 */
export function checkedTotal(
  totals: ReadonlyMap<string, Candidate<number>>,
  labelled: readonly Candidate<number>[],
  context: PageContext,
): Candidate<number> | undefined {
  const due = dueBy(totals);
  const total = totals.get('total');
  if (total && due.some((sum) => Math.abs(sum - total.value) < CENT)) return undefined;
  const agreeing = labelled.filter(({ value }) => due.some((sum) => Math.abs(sum - value) < CENT));
  if (agreeing.length > 0) return { ...agreeing.at(-1)!, arithmetic: 1 };
  if (!total) {
    const unlabelled = sumBelow(totals, context);
    if (unlabelled) return unlabelled;
  }
  for (const sum of due) {
    const isNear = ({ value }: Candidate<number>): boolean => Math.abs(value - sum) < ROUNDED;
    const isVouchedFor = labelled.some(isNear);
    const spoilt = labelled.findLast(
      (found) => !isNear(found) && isMisread(found.written, sum) && (isVouchedFor || !withCents.test(found.written)),
    );
    if (spoilt) return { ...spoilt, value: sum, arithmetic: 1 };
  }
  return undefined;
}

/** The total that the other sums of a paper imply, the most reliable first. */
function dueBy(totals: ReadonlyMap<string, Candidate<number>>): number[] {
  const of = (name: string): number | undefined => totals.get(name)?.value;
  const [cash, change, subtotal, tax] = [of('cash'), of('change'), of('subtotal'), of('tax_amount')];
  const sums: number[] = [];
  if (cash !== undefined && change !== undefined && cash > change) sums.push(cents(cash - change));
  if (subtotal !== undefined && tax !== undefined && tax < subtotal) sums.push(cents(subtotal + tax));
  return sums;
}

/** Subtotal and tax together, alone on a line under them: its label was not read. */
function sumBelow(totals: ReadonlyMap<string, Candidate<number>>, context: PageContext): Candidate<number> | undefined {
  const [subtotal, tax] = [totals.get('subtotal'), totals.get('tax_amount')];
  if (!subtotal || !tax || tax.value >= subtotal.value) return undefined;
  const last = Math.max(subtotal.line.index, tax.line.index);
  for (const line of context.lines.slice(last + 1, last + 1 + REACH)) {
    const [amount, ...others] = amountsIn(line.text, context.decimal);
    if (!amount || others.length > 0 || line.page !== tax.line.page) continue;
    const written = line.text.slice(amount.start, amount.end).trim();
    const isSum = Math.abs(amount.value - subtotal.value - tax.value) < CENT;
    if (isSum && line.text.trim() === written)
      return { value: amount.value, written, line, source: 'place', fit: 1, arithmetic: 1 };
  }
  return undefined;
}

/** Whether a text equals a sum except for one character, or is its end. */
export function isMisread(written: string, sum: number): boolean {
  const [read, wanted] = [digitsOf(written), digitsOf(sum.toFixed(2))];
  if (read.length < 2 || wanted.length < 3) return false;
  return (wanted.endsWith(read) && wanted.length - read.length <= MOST_MISREAD) || isOneApart(read, wanted);
}

function isOneApart(read: string, wanted: string): boolean {
  if (read.length === wanted.length) {
    return read.split('').filter((digit, index) => digit !== wanted[index]).length <= MOST_MISREAD;
  }
  const [long, short] = read.length > wanted.length ? [read, wanted] : [wanted, read];
  if (long.length - short.length > MOST_MISREAD) return false;
  return long.split('').some((_, index) => long.slice(0, index) + long.slice(index + 1) === short);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/gu, '');
}

function cents(value: number): number {
  return Math.round(value * 100) / 100;
}
