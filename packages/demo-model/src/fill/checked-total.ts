import { amountsIn } from '../values/amount.ts';
import type { Found, PageContext } from './page-context.ts';

/** Sums that are nearer than this are the same. */
const CENT = 0.005;
/** What is paid in cash is rounded by less than this. */
const ROUNDED = 0.055;
/** A sum written like this was read whole; it is doubted only where another one vouches for what it should be. */
const withCents = /\d[.,]\d{2}(?!\d)/u;
/** Digits of a sum that were read wrong, missed or seen twice. */
const MOST_MISREAD = 1;
/** Lines under subtotal and tax in which their sum may stand without a label, */
const REACH = 6;

/**
 * The total as the paper's own arithmetic has it: what was paid less the change, or subtotal and tax together. It is
 * taken where it is printed, or where what is printed beside the label is the same but for a sign that a scan has
 * spoilt; undefined where nothing is to be changed.
 */
export function checkedTotal(
  totals: ReadonlyMap<string, Found<number>>,
  labelled: readonly Found<number>[],
  context: PageContext,
): Found<number> | undefined {
  const due = dueBy(totals);
  const total = totals.get('total');
  if (total && due.some((sum) => Math.abs(sum - total.value) < CENT)) return undefined;
  const agreeing = labelled.filter(({ value }) => due.some((sum) => Math.abs(sum - value) < CENT));
  if (agreeing.length > 0) return agreeing.at(-1);
  if (!total) {
    const unlabelled = sumBelow(totals, context);
    if (unlabelled) return unlabelled;
  }
  for (const sum of due) {
    const isNear = ({ value }: Found<number>): boolean => Math.abs(value - sum) < ROUNDED;
    const isVouchedFor = labelled.some(isNear);
    const spoilt = labelled.findLast(
      (found) => !isNear(found) && isMisread(found.written, sum) && (isVouchedFor || !withCents.test(found.written)),
    );
    if (spoilt) return { ...spoilt, value: sum };
  }
  return undefined;
}

/** What the other sums of a paper say that its total is, the surest first. */
function dueBy(totals: ReadonlyMap<string, Found<number>>): number[] {
  const of = (name: string): number | undefined => totals.get(name)?.value;
  const [cash, change, subtotal, tax] = [of('cash'), of('change'), of('subtotal'), of('tax_amount')];
  const sums: number[] = [];
  if (cash !== undefined && change !== undefined && cash > change) sums.push(cents(cash - change));
  if (subtotal !== undefined && tax !== undefined && tax < subtotal) sums.push(cents(subtotal + tax));
  return sums;
}

/** Subtotal and tax together, alone on a line under them: its label was not read. */
function sumBelow(totals: ReadonlyMap<string, Found<number>>, context: PageContext): Found<number> | undefined {
  const [subtotal, tax] = [totals.get('subtotal'), totals.get('tax_amount')];
  if (!subtotal || !tax || tax.value >= subtotal.value) return undefined;
  const last = Math.max(subtotal.line.index, tax.line.index);
  for (const line of context.lines.slice(last + 1, last + 1 + REACH)) {
    const [amount, ...others] = amountsIn(line.text, context.decimal);
    if (!amount || others.length > 0 || line.page !== tax.line.page) continue;
    const written = line.text.slice(amount.start, amount.end).trim();
    const isSum = Math.abs(amount.value - subtotal.value - tax.value) < CENT;
    if (isSum && line.text.trim() === written) return { value: amount.value, written, line, score: 1 };
  }
  return undefined;
}

/** Whether what was read is a sum but for one sign, or its end. */
function isMisread(written: string, sum: number): boolean {
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
