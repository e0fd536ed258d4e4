import { amountsIn } from '../../values/amount.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import type { Reading } from '../reading/read-value.ts';
import { describeField } from '../schema/field.ts';
import { type FieldSchema, typesOf } from '../schema/json-schema.ts';
import { readArithmeticRows } from './arithmetic-rows.ts';
import type { WantedColumn } from './table-header.ts';
import { readReceiptItems } from './receipt-items.ts';
import { readTable, type TableRow } from './table-rows.ts';

/** The rows of the table with these columns: under a header, by their arithmetic, or as the items of a receipt. */
export function readWantedRows(properties: Readonly<Record<string, FieldSchema>>, context: PageContext): TableRow[] {
  const wanted = Object.entries(properties).map(([name, schema]) => wantedColumn(name, schema));
  const underHeader = readTable(context, wanted);
  const arithmetic = readArithmeticRows(context);
  const confirmedLines = new Set(arithmetic.map(({ line }) => line));
  const byArithmetic = asWantedRows(arithmetic, wanted);
  const rows = hasMoreValues(byArithmetic, underHeader) ? byArithmetic : underHeader;
  const receipt = readReceiptItems(context);
  const items = asWantedRows(receipt.rows, wanted);
  const hasMore = items.length === rows.length && countValues(items) > countValues(rows);
  const isBetter = isSumWritten(rows, wanted, context)
    ? receipt.isSumRight && hasMore
    : receipt.isSumRight || items.length >= rows.length;
  if (items.length > 0 && isBetter && (rows.length === 0 || isReceipt(context))) return items;
  return rows.map((row) => ({ ...row, isConfirmed: confirmedLines.has(row.line) }));
}

/** Whether the amounts of the rows add up to a sum below them. */
function isSumWritten(rows: readonly TableRow[], wanted: readonly WantedColumn[], context: PageContext): boolean {
  const meanings = meaningsOf(wanted);
  const amount = wanted[meanings.indexOf('amount')]?.name ?? '';
  const last = rows.at(-1)?.line.index ?? context.lines.length;
  const sum = rows.reduce((total, { values }) => total + Number(values.get(amount)?.value ?? Number.NaN), 0);
  return context.lines
    .slice(last + 1)
    .some(({ text }) => amountsIn(text, context.decimal).some(({ value }) => Math.abs(value - sum) < maxRoundingError));
}

const maxRoundingError = 0.0105;

/** Columns of text: the paper of receipts is narrow. */
const maxReceiptWidth = 60;

/** Whether most lines are as short as those of a receipt. */
function isReceipt({ lines }: PageContext): boolean {
  const ends = lines.flatMap(({ cells }) => cells.at(-1)?.end ?? []).sort((a, b) => a - b);
  return (ends[Math.floor(ends.length * 0.9)] ?? 0) <= maxReceiptWidth;
}

const countValues = (rows: readonly TableRow[]): number => rows.reduce((sum, { values }) => sum + values.size, 0);

/** Whether the rows by arithmetic have more values than those under a header. Then the header was not understood. */
function hasMoreValues(byArithmetic: readonly TableRow[], underHeader: readonly TableRow[]): boolean {
  return byArithmetic.length >= underHeader.length && countValues(byArithmetic) > countValues(underHeader);
}

/** The usual meaning of each column of the schema; undefined for other columns. */
function meaningsOf(wanted: readonly WantedColumn[]): (string | undefined)[] {
  return wanted.map(({ words }) => itemColumns.find((column) => column.field.test(words))?.name);
}

/** Rows with the usual columns as rows of the schema; none if the schema has no description or no price. */
function asWantedRows(rows: readonly TableRow[], wanted: readonly WantedColumn[]): TableRow[] {
  const meanings = meaningsOf(wanted);
  if (!meanings.includes('description') || !meanings.some((name) => name === 'amount' || name === 'unit_price'))
    return [];
  return rows.map(({ line, values, isConfirmed }) => {
    const entries = wanted.flatMap(({ name }, index): [string, Reading][] => {
      const reading = values.get(meanings[index] ?? '');
      return reading ? [[name, reading]] : [];
    });
    return { line, values: new Map(entries), ...(isConfirmed !== undefined && { isConfirmed }) };
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
  return { ...base, headers, ...(weakHeaders ? { weakHeaders } : {}), isTaxRate: concept.name === 'tax_rate' };
}
