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
  return rows.length > 0 ? rows : readGoods(wanted, context);
}

/** Items without a header are identified by the meaning of the columns: a description and an amount are required. */
function readGoods(wanted: readonly WantedColumn[], context: PageContext): TableRow[] {
  const meanings = wanted.map(({ words }) => itemColumns.find((column) => column.field.test(words))?.name);
  if (!meanings.includes('description') || !meanings.includes('amount')) return [];
  return readRowsWithoutHeader(context).map(({ line, values }) => {
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
