import type { DocumentLines } from '../../page/document-text.ts';
import type { LayoutCell, Line } from '../../page/layout.ts';
import { type DocumentDecimalSign, decimalSignOf } from '../../values/amount.ts';
import { currencyOf } from '../../values/coded.ts';
import { type DayOrder, dayOrderOf, knownDayOrder } from '../../values/date.ts';

/** A document's text with facts about the whole document. */
export interface PageContext {
  lines: Line[];
  text: string;
  decimal: DocumentDecimalSign;
  dayOrder: DayOrder;
  /** Whether the pages say the order of day and month. */
  isDayOrderKnown: boolean;
  /** By page: the column where its longest line ends. */
  pageEnds: ReadonlyMap<number, number>;
  /** ISO 4217; null when the pages show no currency. */
  currency: string | null;
  /** Names and descriptions of the schema's fields. On the page they are captions and not values. */
  fieldNames: readonly string[];
}

export function pageContext(document: DocumentLines): PageContext {
  const text = document.lines.map((line) => line.text).join('\n');
  return {
    lines: document.lines,
    text,
    decimal: decimalSignOf(text),
    dayOrder: dayOrderOf(text),
    isDayOrderKnown: knownDayOrder(text) !== undefined,
    pageEnds: endsOf(document.lines),
    currency: currencyOf(text),
    fieldNames: [],
  };
}

function endsOf(lines: readonly Line[]): Map<number, number> {
  const ends = new Map<number, number>();
  for (const { page, cells } of lines) ends.set(page, Math.max(ends.get(page) ?? 0, cells.at(-1)?.end ?? 0));
  return ends;
}

/** The next lines with text on the same page, at most `count`. A gap of more than three empty lines ends them. */
export function linesBelow(context: PageContext, line: Line, count: number): Line[] {
  const below: Line[] = [];
  let emptyLines = 0;
  for (
    let index = line.index + 1;
    index < context.lines.length && below.length < count && emptyLines <= 3;
    index += 1
  ) {
    const next = context.lines[index];
    if (!next || next.page !== line.page) break;
    if (next.cells.length === 0) emptyLines += 1;
    else {
      below.push(next);
      emptyLines = 0;
    }
  }
  return below;
}

/** The cells after `cell` on its line. */
export function cellsRightOf(line: Line, cell: LayoutCell): LayoutCell[] {
  return line.cells.filter((other) => other.start >= cell.end);
}
