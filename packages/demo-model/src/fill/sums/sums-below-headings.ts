import { amountConcepts, shareOf } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import { type LayoutCell, type Line, overlap } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { PageContext } from '../reading/page-context.ts';

/** A label of a sum as the heading of a column. */
interface Heading {
  name: string;
  cell: LayoutCell;
  isWeak: boolean;
}

/** The share of a heading that a label covers. */
const minShare = 0.6;
const minHeadings = 2;
const maxRows = 12;
/** Sums with a smaller difference are equal. */
const maxDifference = 0.02;
const headingFit = 0.95;
const weakFit = 0.6;

/** A row of sums is named so, or has the currency. */
const isTotalRow =
  /(?<!\p{L})(?:total|totale|totaal|gesamt|summe|sum)(?!\p{L})|(?<!\p{L})(?:eur|usd|gbp|chf)(?!\p{L})/u;

/** What stands below headings of sums. */
interface SumsBelow {
  /** By the names of their concepts. */
  readonly sums: ReadonlyMap<string, readonly Candidate<number>[]>;
  /** The positions of rows that are parts of sums. */
  readonly parts: ReadonlySet<number>;
}

/**
 * The sums of a row below their headings: `Net  Tax  Gross` above `100.00  20.00  120.00`. With several rows, such as one for each tax
 * rate, it is the last one that is named a total or adds up the others.
 */
export function sumsBelowHeadings(context: PageContext): SumsBelow {
  const sums = new Map<string, Candidate<number>[]>();
  const parts = new Set<number>();
  for (const line of context.lines) {
    const headings = headingsOf(line, context);
    if (new Set(headings.map(({ name }) => name)).size < minHeadings) continue;
    const rows = rowsBelow(line, headings, context);
    const row = sumRow(rows);
    for (const each of rows) if (each !== row) parts.add(each.line.index);
    for (const { name, isWeak, amount } of row?.sums ?? []) {
      const fit = isWeak ? weakFit : headingFit;
      sums.set(name, [...(sums.get(name) ?? []), { ...amount, source: 'label', fit }]);
    }
  }
  return { sums, parts };
}

function headingsOf(line: Line, { decimal }: PageContext): Heading[] {
  if (line.cells.length < minHeadings || line.cells.some(({ text }) => amountsIn(text, decimal).length > 0)) return [];
  return line.cells.flatMap((cell) =>
    amountConcepts.flatMap(({ name, labels, weakLabels, not }): Heading[] => {
      if (not?.test(cell.folded)) return [];
      if (shareOf(cell, labels) >= minShare) return [{ name, cell, isWeak: false }];
      return weakLabels && shareOf(cell, weakLabels) >= minShare ? [{ name, cell, isWeak: true }] : [];
    }),
  );
}

interface ColumnSum extends Heading {
  amount: Omit<Candidate<number>, 'source' | 'fit'>;
}

interface SumRow {
  line: Line;
  sums: readonly ColumnSum[];
}

function rowsBelow(heading: Line, headings: readonly Heading[], context: PageContext): SumRow[] {
  const rows: SumRow[] = [];
  let isAfterGap = false;
  for (const line of context.lines.slice(heading.index + 1, heading.index + 1 + maxRows)) {
    if (line.page !== heading.page) break;
    if (line.cells.length === 0) {
      if (isAfterGap) break;
      isAfterGap = true;
      continue;
    }
    const sums = headings.flatMap((each): ColumnSum[] => {
      const amount = amountUnder(each.cell, line, context);
      return amount ? [{ ...each, amount }] : [];
    });
    if (new Set(sums.map(({ amount }) => amount.value)).size < minHeadings) break;
    isAfterGap = false;
    rows.push({ line, sums });
  }
  return rows;
}

function amountUnder(heading: LayoutCell, line: Line, { decimal }: PageContext): ColumnSum['amount'] | undefined {
  const cell = line.cells
    .filter((other) => overlap(heading, other) > 0)
    .sort((one, other) => overlap(heading, other) - overlap(heading, one))[0];
  const [amount, ...others] = cell ? amountsIn(cell.text, decimal) : [];
  if (!cell || !amount || others.length > 0) return undefined;
  return { value: amount.value, written: cell.text.slice(amount.start, amount.end).trim(), line };
}

function sumRow(rows: readonly SumRow[]): SumRow | undefined {
  const last = rows.findLast(({ line }) => isTotalRow.test(fold(line.text))) ?? rows.at(-1);
  if (!last || rows.length === 1 || isTotalRow.test(fold(last.line.text))) return last;
  const addsUp = last.sums.some(({ name, cell, amount }) => {
    const parts = rows.slice(0, -1).map(({ sums }) => sums.find((each) => each.name === name && each.cell === cell));
    const sum = parts.reduce((all, part) => all + (part?.amount.value ?? 0), 0);
    return amount.value !== 0 && Math.abs(sum - amount.value) < maxDifference;
  });
  return addsUp ? last : undefined;
}
