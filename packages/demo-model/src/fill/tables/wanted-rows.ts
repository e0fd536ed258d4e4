import type { Line } from '../../page/layout.ts';
import { amountsIn } from '../../values/amount.ts';
import { datesIn } from '../../values/date.ts';
import { itemColumns } from '../labels/item-columns.ts';
import type { PageContext } from '../reading/page-context.ts';
import type { Reading } from '../reading/read-value.ts';
import { describeField } from '../schema/field.ts';
import { type JsonSchema, typesOf } from '../schema/json-schema.ts';
import { readArithmeticRows } from './arithmetic-rows.ts';
import type { WantedColumn } from './table-header.ts';
import { isFoot, readTable, type TableRow } from './table-rows.ts';

/** The rows of the table with these columns: under a header, otherwise as the items of a receipt. */
export function readWantedRows(properties: Readonly<Record<string, JsonSchema>>, context: PageContext): TableRow[] {
  const wanted = Object.entries(properties).map(([name, schema]) => wantedColumn(name, schema));
  const rows = readTable(context, wanted);
  const products = readArithmeticRows(context);
  const byProduct = inColumns(products, wanted);
  const confirmed = new Set(products.map(({ line }) => line));
  const read = isFuller(byProduct, rows) ? byProduct : rows.length > 0 ? rows : readGoods(wanted, context);
  return read.map((row) => ({ ...row, isConfirmed: confirmed.has(row.line) }));
}

/** Rows found by their arithmetic stand in for the table under a header when they say more: the header was not understood. */
function isFuller(byProduct: readonly TableRow[], rows: readonly TableRow[]): boolean {
  const cells = (some: readonly TableRow[]): number => some.reduce((sum, { values }) => sum + values.size, 0);
  return byProduct.length >= rows.length && cells(byProduct) > cells(rows);
}

/** Items without a header are identified by the meaning of the columns: a description and an amount are required. */
function readGoods(wanted: readonly WantedColumn[], context: PageContext): TableRow[] {
  const meanings = wanted.map(({ words }) => itemColumns.find((column) => column.field.test(words))?.name);
  if (!meanings.includes('description') || !meanings.includes('amount')) return [];
  return inColumns(readRowsWithoutHeader(context), wanted);
}

/** Rows by the meaning of their columns as rows of the schema; none where the schema asks for no amount of goods. */
function inColumns(rows: readonly TableRow[], wanted: readonly WantedColumn[]): TableRow[] {
  const meanings = wanted.map(({ words }) => itemColumns.find((column) => column.field.test(words))?.name);
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

function wantedColumn(name: string, schema: JsonSchema): WantedColumn {
  const { ownWords, kind } = describeField([name], schema);
  const concept = itemColumns.find((column) => column.field.test(ownWords));
  const numeric = typesOf(schema).some((type) => type === 'number' || type === 'integer');
  const base = {
    name,
    words: ownWords,
    kind: concept && !numeric ? concept.kind : numeric ? ('amount' as const) : kind,
  };
  if (!concept) return base;
  const { headers, weakHeaders } = concept;
  return { ...base, headers, ...(weakHeaders ? { weakHeaders } : {}) };
}

const fewestLines = 2;

/**
 * The items of a receipt without headers: lines of text that end with an amount, above the first sum. A number before
 * the text is the quantity.
 */
function readRowsWithoutHeader(context: PageContext): TableRow[] {
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
