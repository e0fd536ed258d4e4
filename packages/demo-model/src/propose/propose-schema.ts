import type { DocumentText } from '../page/document-text.ts';
import { fillSchema } from '../fill/fill-schema.ts';
import type { JsonSchema } from '../fill/json-schema.ts';
import { detectKind, type DocumentKind } from './document-kind.ts';
import { fieldsFromLabels } from './labelled-fields.ts';
import { fieldsOfKind } from './kind-fields.ts';
import { rowsFromTable } from './table-fields.ts';

/** An object schema in the strict form that the product requires. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
  additionalProperties: false;
}

export interface Proposal {
  kind: DocumentKind;
  schema: ObjectSchema;
}

export function objectSchema(properties: Record<string, JsonSchema>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A schema of the fields that are found on the page; without fields when no rule matches. */
export function proposeSchema(document: DocumentText): Proposal {
  const kind = detectKind(document);
  const known = keepFound(fieldsOfKind[kind], document);
  const isOwnKind = kind === 'form' || kind === 'report' || kind === 'lab_report';
  const isThin = Object.keys(known).length < 3;
  const labelled = isOwnKind || isThin ? keepFound(fieldsFromLabels(document, kind === 'form'), document) : {};
  const rows = isOwnKind ? rowsFromTable(document) : null;
  const table = rows ? keepFound({ rows }, document) : {};
  return { kind, schema: objectSchema({ ...known, ...labelled, ...table }) };
}

function keepFound(fields: Record<string, JsonSchema>, document: DocumentText): Record<string, JsonSchema> {
  const values = fillSchema(objectSchema(fields), document).value as Record<string, unknown>;
  const kept: Record<string, JsonSchema> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (Array.isArray(value)) {
      if (value.length > 0) kept[name] = keepFilledColumns(field, value as Record<string, unknown>[]);
    } else if (value !== null && value !== '') kept[name] = field;
  }
  return kept;
}

function keepFilledColumns(table: JsonSchema, rows: readonly Record<string, unknown>[]): JsonSchema {
  const columns = Object.entries(table.items?.properties ?? {});
  const filled = columns.filter(([name]) => rows.some((row) => row[name] !== null));
  return { ...table, items: objectSchema(Object.fromEntries(filled)) };
}
