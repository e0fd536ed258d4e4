import type { Line } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import type { PageContext } from '../page-context.ts';
import type { Reading } from '../read-value.ts';
import { isFoot, type TableRow } from './table-rows.ts';

const fewestLines = 2;

/**
 * The items of a receipt without headers: lines of text that end with an amount, above the first sum. A number before
 * the text is the quantity.
 */
export function readRowsWithoutHeader(context: PageContext): TableRow[] {
  const end = context.lines.findIndex(isFoot);
  if (end === -1) return [];
  const rows: TableRow[] = [];
  for (const line of context.lines.slice(fewestLines, end)) {
    const values = rowIn(line, context);
    if (values) rows.push({ line, values });
  }
  return rows;
}

function rowIn(line: Line, context: PageContext): Map<string, Reading> | null {
  const text = line.text.trim();
  const amount = amountsIn(text, context.decimal).at(-1);
  if (!amount || amount.end < text.length - 3 || !/\d[.,]\d{2}\b/u.test(text.slice(amount.start, amount.end)))
    return null;
  const before = text.slice(0, amount.start).replace(/[\s.:]+$/u, '');
  const match =
    /^(?:(?<count>\d{1,3})\s*[x×*]?\s+)?(?<what>.*\p{L}{2}.*?)(?:\s{2,}(?<behind>\d{1,3}(?:[.,]\d+)?)\s*[x×]?(?:\s+[\d.,]+)?)?$/u.exec(
      before,
    );
  const what = match?.groups?.what?.replaceAll(/\s+/gu, ' ').trim();
  if (what === undefined || datesIn(before, context.dayOrder).length > 0 || /:/u.test(before)) return null;
  const values = new Map<string, Reading>([
    ['description', { value: what, written: what }],
    ['amount', { value: amount.value, written: text.slice(amount.start, amount.end).trim() }],
  ]);
  const count = match?.groups?.count ?? match?.groups?.behind;
  if (count !== undefined) values.set('quantity', { value: Number(count.replace(',', '.')), written: count });
  return values;
}
