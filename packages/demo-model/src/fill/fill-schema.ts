import type { DocumentText } from '../page/document-text.ts';
import type { Line } from '../page/layout.ts';
import { describeField } from './field.ts';
import { type DocumentFacts, findFieldValue, readFacts } from './field-value.ts';
import { fitValue } from './fit-value.ts';
import { itemColumns } from './item-columns.ts';
import { emptyValue, type JsonSchema, resolveSchema, typesOf } from './json-schema.ts';
import type { PageContext } from './page-context.ts';
import type { Reading } from './read-value.ts';
import { readRowsWithoutHeader } from './rows-without-header.ts';
import type { WantedColumn } from './table-header.ts';
import { readTable, type TableRow } from './table-rows.ts';

export interface FilledSchema {
  value: unknown;
  /** The line each found value was read from, by dotted path with indexes. */
  sources: ReadonlyMap<string, Line>;
}

interface Filling {
  facts: DocumentFacts;
  root: JsonSchema;
  sources: Map<string, Line>;
  /** Paths that stay empty, such as those an earlier answer was refused for. */
  left: ReadonlySet<string>;
}

const deepest = 10;

/**
 * Fills a schema from page text. The result has every property that the schema names and no other; what was not found,
 * or not surely, is null, or the empty value of its type where null is not allowed.
 */
export function fillSchema(
  schema: JsonSchema,
  document: DocumentText,
  left: ReadonlySet<string> = new Set(),
): FilledSchema {
  const filling: Filling = { facts: readFacts(document), root: schema, sources: new Map(), left };
  const value = fillValue(schema, [], filling);
  return { value, sources: filling.sources };
}

function fillValue(unresolved: JsonSchema, path: readonly string[], filling: Filling): unknown {
  const schema = resolveSchema(unresolved, filling.root);
  if (path.length > deepest) return emptyValue(schema, filling.root);
  const types = typesOf(schema);
  if (types.includes('object') && schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, property]) => [name, fillValue(property, [...path, name], filling)]));
  }
  if (types.includes('array')) return fillArray(schema, path, filling);
  return fillScalar(schema, path, filling);
}

function fillScalar(schema: JsonSchema, path: readonly string[], filling: Filling): unknown {
  const dotted = path.join('.');
  const empty = emptyValue(schema, filling.root);
  if (schema.const !== undefined || filling.left.has(dotted)) return empty;
  const found = findFieldValue(describeField(path, schema), filling.facts);
  const value = found ? fitValue(found, schema) : undefined;
  if (!found || value === undefined) return empty;
  filling.sources.set(dotted, found.line);
  return value;
}

function fillArray(schema: JsonSchema, path: readonly string[], filling: Filling): unknown {
  const { root, facts, sources } = filling;
  const item = resolveSchema(schema.items ?? {}, root);
  const dotted = path.join('.');
  if (!item.properties || filling.left.has(dotted)) return emptyValue(schema, root);
  const properties = Object.entries(item.properties).map(([name, property]) => ({
    name,
    schema: resolveSchema(property, root),
  }));
  const rows = readRows(
    facts.context,
    properties.map(({ name, schema: property }) => wantedColumn(name, property)),
  );
  if (rows.length === 0) return emptyValue(schema, root);
  return rows.map((row, index) => {
    const entries = properties.map(({ name, schema: property }) => {
      const reading = row.values.get(name);
      const at = `${dotted}.${index}.${name}`;
      const value = reading && !filling.left.has(at) ? fitValue(reading, property) : undefined;
      if (value === undefined) return [name, emptyValue(property, root)];
      sources.set(at, row.line);
      return [name, value];
    });
    return Object.fromEntries(entries);
  });
}

/** Rows under a header, else the goods of a receipt, which are told apart by what their columns mean. */
function readRows(context: PageContext, wanted: readonly WantedColumn[]): TableRow[] {
  const rows = readTable(context, wanted);
  const meanings = wanted.map(({ words }) => ({
    words,
    column: itemColumns.find((column) => column.field.test(words))?.name,
  }));
  if (rows.length > 0 || !['description', 'amount'].every((need) => meanings.some(({ column }) => column === need)))
    return rows;
  return readRowsWithoutHeader(context).map(({ line, values }) => {
    const entries = wanted.flatMap(({ name }, index): [string, Reading][] => {
      const reading = values.get(meanings[index]?.column ?? '');
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
