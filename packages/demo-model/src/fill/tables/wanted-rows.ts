import { readArithmeticRows } from './arithmetic-rows.ts';
import { describeField } from '../field.ts';
import { itemColumns } from './item-columns.ts';
import { type JsonSchema, typesOf } from '../json-schema.ts';
import type { PageContext } from '../page-context.ts';
import type { Reading } from '../read-value.ts';
import { readRowsWithoutHeader } from './rows-without-header.ts';
import type { WantedColumn } from './table-header.ts';
import { readTable, type TableRow } from './table-rows.ts';

/** The rows of the table with these columns: under a header, otherwise as the items of a receipt. */
export function readWantedRows(properties: Readonly<Record<string, JsonSchema>>, context: PageContext): TableRow[] {
  const wanted = Object.entries(properties).map(([name, schema]) => wantedColumn(name, schema));
  const rows = readTable(context, wanted);
  const byProduct = inColumns(readArithmeticRows(context), wanted);
  if (isFuller(byProduct, rows)) return byProduct;
  return rows.length > 0 ? rows : readGoods(wanted, context);
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
