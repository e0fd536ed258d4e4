import type { Line } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import type { Reading } from '../reading/read-value.ts';
import { describeField } from '../schema/field.ts';
import { type FieldSchema, typesOf } from '../schema/json-schema.ts';
import { readArithmeticRows } from './arithmetic-rows.ts';
import type { WantedColumn } from './table-header.ts';
import { isFoot, readTable, type TableRow } from './table-rows.ts';

/** The rows of the table with these columns: under a header, by their arithmetic, or as the items of a receipt. */
export function readWantedRows(properties: Readonly<Record<string, FieldSchema>>, context: PageContext): TableRow[] {
  const wanted = Object.entries(properties).map(([name, schema]) => wantedColumn(name, schema));
  const underHeader = readTable(context, wanted);
  const arithmetic = readArithmeticRows(context);
  const confirmedLines = new Set(arithmetic.map(({ line }) => line));
  const byArithmetic = asWantedRows(arithmetic, wanted);
  const rows = hasMoreValues(byArithmetic, underHeader)
    ? byArithmetic
    : underHeader.length > 0
      ? underHeader
      : readReceiptItems(wanted, context);
  return rows.map((row) => ({ ...row, isConfirmed: confirmedLines.has(row.line) }));
}

/** Whether the rows by arithmetic have more values than those under a header. Then the header was not understood. */
function hasMoreValues(byArithmetic: readonly TableRow[], underHeader: readonly TableRow[]): boolean {
  const countValues = (rows: readonly TableRow[]) => rows.reduce((sum, { values }) => sum + values.size, 0);
  return byArithmetic.length >= underHeader.length && countValues(byArithmetic) > countValues(underHeader);
}

/** The usual meaning of each column of the schema; undefined for other columns. */
function meaningsOf(wanted: readonly WantedColumn[]): (string | undefined)[] {
  return wanted.map(({ words }) => itemColumns.find((column) => column.field.test(words))?.name);
}

/** The items of a receipt, if the schema has columns for a description and an amount. */
function readReceiptItems(wanted: readonly WantedColumn[], context: PageContext): TableRow[] {
  const meanings = meaningsOf(wanted);
  if (!meanings.includes('description') || !meanings.includes('amount')) return [];
  return asWantedRows(readRowsWithoutHeader(context), wanted);
}

/** Rows with the usual columns as rows of the schema; none if the schema has no description or no price. */
function asWantedRows(rows: readonly TableRow[], wanted: readonly WantedColumn[]): TableRow[] {
  const meanings = meaningsOf(wanted);
  if (!meanings.includes('description') || !meanings.some((name) => name === 'amount' || name === 'unit_price'))
    return [];
  return rows.map(({ line, values }) => {
    const entries = wanted.flatMap(({ name }, index): [string, Reading][] => {
      const reading = values.get(meanings[index] ?? '');
      return reading ? [[name, reading]] : [];
    });
    return { line, values: new Map(entries) };
  });
}

function wantedColumn(name: string, schema: FieldSchema): WantedColumn {
  const { ownWords, kind } = describeField([name], schema);
  const concept = itemColumns.find((column) => column.field.test(ownWords));
  const isNumeric = typesOf(schema).some((type) => type === 'number' || type === 'integer');
  const base = {
    name,
    words: ownWords,
    kind: concept && !isNumeric ? concept.kind : isNumeric ? ('amount' as const) : kind,
  };
  if (!concept) return base;
  const { headers, weakHeaders } = concept;
  return { ...base, headers, ...(weakHeaders ? { weakHeaders } : {}) };
}

/** A receipt starts with its letterhead. */
const firstItemLine = 2;

/** Lines of text that end with an amount, above the first sum. A number before or after the text is the quantity. */
function readRowsWithoutHeader(context: PageContext): TableRow[] {
  const end = context.lines.findIndex(isFoot);
  if (end === -1) return [];
  const rows: TableRow[] = [];
  for (const line of context.lines.slice(firstItemLine, end)) {
    const values = rowIn(line, context);
    if (!values) continue;
    const above = context.lines[line.index - 1];
    // Under the text of an item are its code and its amount.
    const isCode = /^[A-Z]{0,4}\d{4,}$/u.test(values.get('description')!.written);
    const isTextAbove = above !== undefined && above.cells.length > 0 && above !== rows.at(-1)?.line;
    if (isCode && isTextAbove) values.set('description', { value: above.text.trim(), written: above.text.trim() });
    rows.push({ line, values });
  }
  return rows;
}

function rowIn(line: Line, context: PageContext): Map<string, Reading> | null {
  const text = line.text.trim();
  const amount = amountsIn(text, context.decimal).at(-1);
  if (
    !amount ||
    text[amount.start - 1] === '@' ||
    amount.end < text.length - 3 ||
    !/\d[.,]\d{2}\b/u.test(text.slice(amount.start, amount.end))
  )
    return null;
  const before = text.slice(0, amount.start).replace(/[\s.:]+$/u, '');
  const match =
    /^(?:(?<count>\d{1,3})\s*[x×*]?\s+)?(?<description>.*\p{L}{2}.*?|\d{6,})(?:\s{2,}[x×*]?(?<countAfter>\d{1,3}(?:[.,]\d+)?)\s*[x×]?(?:\s+[\d.,]+)?)?$/u.exec(
      before,
    );
  const description = match?.groups?.description?.replaceAll(/\s+/gu, ' ').trim();
  if (description === undefined || datesIn(before, context.dayOrder).length > 0 || /:/u.test(before)) return null;
  const values = new Map<string, Reading>([
    ['description', { value: description, written: description }],
    ['amount', { value: amount.value, written: text.slice(amount.start, amount.end).trim() }],
  ]);
  const count = match?.groups?.count ?? match?.groups?.countAfter;
  if (count !== undefined) values.set('quantity', { value: Number(count.replace(',', '.')), written: count });
  return values;
}
