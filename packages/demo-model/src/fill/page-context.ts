import type { DocumentText } from '../page/document-text.ts';
import { type Cell, type Line } from '../page/layout.ts';
import { currencyOf } from '../values/coded.ts';
import { decimalSignOf, type DecimalSign } from '../values/amount.ts';
import { dayOrderOf, type DayOrder } from '../values/date.ts';

/** A document's text with facts about the whole of it. */
export interface PageContext {
  lines: Line[];
  text: string;
  decimal: DecimalSign;
  dayOrder: DayOrder;
  /** ISO 4217; null when the pages show no currency. */
  currency: string | null;
  /** What the fields of the schema are called and described as: on the page these are captions and no values. */
  asked: readonly string[];
}

export function pageContext(document: DocumentText): PageContext {
  const text = document.lines.map((line) => line.text).join('\n');
  return {
    lines: document.lines,
    text,
    decimal: decimalSignOf(text),
    dayOrder: dayOrderOf(text),
    currency: currencyOf(text),
    asked: [],
  };
}

/**
 * The next lines with text after `index` on the same page, at most `count`; a gap of more than three empty lines ends
 * them.
 */
export function linesBelow(context: PageContext, line: Line, count: number): Line[] {
  const below: Line[] = [];
  let empty = 0;
  for (let index = line.index + 1; index < context.lines.length && below.length < count && empty <= 3; index += 1) {
    const next = context.lines[index];
    if (!next || next.page !== line.page) break;
    if (next.cells.length === 0) empty += 1;
    else {
      below.push(next);
      empty = 0;
    }
  }
  return below;
}

/** The cells after `cell` on its line. */
export function cellsRightOf(line: Line, cell: Cell): Cell[] {
  return line.cells.filter((other) => other.start >= cell.end);
}
