import { amountsIn } from '../../values/amount.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';

/** Sums with a smaller difference are equal. */
const maxDifference = 0.005;
/** Cash amounts are rounded by less than this. */
const maxCashRounding = 0.055;
/** A complete sum is corrected only when another sum confirms the correction. */
const withCents = /\d[.,]\d{2}(?!\d)/u;
/** The largest number of digits that were misread, missed or read twice. */
const maxMisreadDigits = 1;
/** The number of lines below subtotal and tax in which their sum can be printed without a label. */
const maxDistance = 6;

/**
 * Checks the total by the other sums of the document: cash less change, or subtotal plus tax. Returns a sum that is
 * printed on the document, or the labelled total when it differs in only one misread character; undefined when no
 * correction is needed or possible.
 */
export function checkTotal(
  totals: ReadonlyMap<string, Candidate<number>>,
  labelled: readonly Candidate<number>[],
  context: PageContext,
): Candidate<number> | undefined {
  const expected = expectedTotals(totals);
  const total = totals.get('total');
  const isExpected = ({ value }: Candidate<number>) => expected.some((sum) => Math.abs(sum - value) < maxDifference);
  if (total && isExpected(total)) return undefined;
  const lastExpected = labelled.findLast(isExpected);
  if (lastExpected) return { ...lastExpected, arithmetic: 1 };
  if (!total) {
    const unlabelled = unlabelledTotal(totals, context);
    if (unlabelled) return unlabelled;
  }
  for (const sum of expected) {
    const isNear = ({ value }: Candidate<number>): boolean => Math.abs(value - sum) < maxCashRounding;
    const isConfirmed = labelled.some(isNear);
    const misread = labelled.findLast(
      (found) => !isNear(found) && isMisread(found.written, sum) && (isConfirmed || !withCents.test(found.written)),
    );
    if (misread) return { ...misread, value: sum, arithmetic: 1 };
  }
  return undefined;
}

/** The totals that other sums of the document imply, the most reliable first. */
function expectedTotals(totals: ReadonlyMap<string, Candidate<number>>): number[] {
  const valueOf = (name: string): number | undefined => totals.get(name)?.value;
  const [cash, change] = [valueOf('cash'), valueOf('change')];
  const [subtotal, tax] = [valueOf('subtotal'), valueOf('tax_amount')];
  const sums: number[] = [];
  if (cash !== undefined && change !== undefined && cash > change) sums.push(roundToCents(cash - change));
  if (subtotal !== undefined && tax !== undefined && tax < subtotal) sums.push(roundToCents(subtotal + tax));
  return sums;
}

/** The sum of subtotal and tax, alone on a line below them: its label was not read. */
function unlabelledTotal(
  totals: ReadonlyMap<string, Candidate<number>>,
  context: PageContext,
): Candidate<number> | undefined {
  const [subtotal, tax] = [totals.get('subtotal'), totals.get('tax_amount')];
  if (!subtotal || !tax || tax.value >= subtotal.value) return undefined;
  const last = Math.max(subtotal.line.index, tax.line.index);
  for (const line of context.lines.slice(last + 1, last + 1 + maxDistance)) {
    const [amount, ...others] = amountsIn(line.text, context.decimal);
    if (!amount || others.length > 0 || line.page !== tax.line.page) continue;
    const written = line.text.slice(amount.start, amount.end).trim();
    const isSum = Math.abs(amount.value - subtotal.value - tax.value) < maxDifference;
    if (isSum && line.text.trim() === written)
      return { value: amount.value, written, line, source: 'place', fit: 1, arithmetic: 1 };
  }
  return undefined;
}

/** Whether a text is a sum with one misread character, or the sum without its first digit. */
export function isMisread(written: string, sum: number): boolean {
  const [read, expected] = [digitsOf(written), digitsOf(sum.toFixed(2))];
  if (read.length < 2 || expected.length < 3) return false;
  const isEnd = expected.endsWith(read) && expected.length - read.length <= maxMisreadDigits;
  return isEnd || differsInOneDigit(read, expected);
}

function differsInOneDigit(read: string, expected: string): boolean {
  if (read.length === expected.length) {
    return read.split('').filter((digit, index) => digit !== expected[index]).length <= maxMisreadDigits;
  }
  const [long, short] = read.length > expected.length ? [read, expected] : [expected, read];
  if (long.length - short.length > maxMisreadDigits) return false;
  return long.split('').some((_, index) => long.slice(0, index) + long.slice(index + 1) === short);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/gu, '');
}

function roundToCents(value: number): number {
  return Math.round(value * 100) / 100;
}
