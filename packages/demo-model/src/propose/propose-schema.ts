import { fillSchema } from '../fill/fill-schema.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import type { DocumentLines } from '../page/document-text.ts';
import { wordsOf } from '../page/fold.ts';
import { type Line, overlap } from '../page/layout.ts';
import { amountsIn, decimalSignOf } from '../values/amount.ts';
import { openKinds } from '@docwright/language';
import { type ProposedKind, kindOfDocument } from './document-kind.ts';
import { fieldsOfKind } from './kind-fields.ts';
import { kindTitle } from './kind-title.ts';
import { fieldsFromLabels } from './labelled-fields.ts';
import { isValueAsLabel } from './why-nonsense.ts';

/** An object schema in the strict form that the product requires. */
export interface ObjectSchema extends FieldSchema {
  type: 'object';
  properties: Record<string, FieldSchema>;
  required: string[];
  additionalProperties: false;
}

export interface ProposedSetup {
  kind: ProposedKind;
  /** What to call schemas and prompts of the kind. */
  name: string;
  schema: ObjectSchema;
  /** Texts in the places of captions that are values, such as names of streets, and so are not fields. */
  leftOut: readonly string[];
}

export function objectSchema(properties: Record<string, FieldSchema>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * A schema of the fields found on the pages; without fields when no rule matches. `forKind` adds the usual fields of the
 * kind that this document does not have, so that the schema fits the documents of every issuer.
 */
export function proposeSchema(document: DocumentLines, { forKind = false, language = 'en' } = {}): ProposedSetup {
  const kind = kindOfDocument(document)?.kind ?? 'document';
  const usual = fieldsOfKind[kind] ?? {};
  const found = keepFound(usual, document);
  const hasUsual = kind !== 'document' && Object.keys(usual).length > 0;
  const known = forKind && hasUsual && kind !== 'lab_report' ? usual : found;
  const hasOwnLabels = kind === 'document' || kind === 'lab_report' || openKinds.has(kind);
  const hasFewFields = Object.keys(known).length < 3;
  const named =
    hasOwnLabels || hasFewFields ? fieldsFromLabels(document, kind === 'form') : { fields: {}, leftOut: [] };
  const labelled = keepFound(named.fields, document);
  const leftOut = [...named.leftOut];
  const rows = hasOwnLabels ? rowsFromTable(document, leftOut) : null;
  const table = rows ? keepFound({ rows }, document) : {};
  const schema = objectSchema({ ...known, ...labelled, ...table });
  return { kind, name: kindTitle(document, table.rows !== undefined, language), schema, leftOut };
}

/** The fields that have a value on the pages. */
function keepFound(fields: Record<string, FieldSchema>, document: DocumentLines): Record<string, FieldSchema> {
  const values = fillSchema(objectSchema(fields), document).value as Record<string, unknown>;
  const kept: Record<string, FieldSchema> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (Array.isArray(value)) {
      if (value.length > 0) kept[name] = keepFilledColumns(field, value as Record<string, unknown>[]);
    } else if (value !== null && value !== '') kept[name] = field;
  }
  return kept;
}

function keepFilledColumns(table: FieldSchema, rows: readonly Record<string, unknown>[]): FieldSchema {
  const columns = Object.entries(table.items?.properties ?? {});
  const filled = columns.filter(([name]) => rows.some((row) => row[name] !== null));
  return { ...table, items: objectSchema(Object.fromEntries(filled)) };
}

const minColumns = 2;
const minRows = 2;
/** Two columns are weak evidence of a table. They need more rows, and numbers in one of them. */
const minRowsOfTwoColumns = 3;

/** A list of rows for the first table whose header names at least two columns; null without a table. */
function rowsFromTable(document: DocumentLines, leftOut: string[]): FieldSchema | null {
  const decimal = decimalSignOf(document.lines.map((line) => line.text).join('\n'));
  for (const line of document.lines) {
    if (!isHeader(line)) continue;
    const values = line.cells.filter(({ text }) => isValueAsLabel(text));
    if (values.length > 0) {
      leftOut.push(...values.map(({ text }) => text));
      continue;
    }
    const rows = rowsBelow(document, line);
    if (rows.length < minRows) continue;
    const columns = line.cells.flatMap((header): [string, FieldSchema][] => {
      const name = wordsOf(header.text).replaceAll(' ', '_');
      const cells = rows.flatMap((row) => row.cells.filter((cell) => overlap(cell, header) > 0));
      const isNumeric =
        cells.length > 0 && cells.every(({ text }) => !/\p{L}/u.test(text) && amountsIn(text, decimal).length === 1);
      const type = isNumeric ? 'number' : 'string';
      return name === '' ? [] : [[name, { type: [type, 'null'], description: `Column “${header.text}”` }]];
    });
    const properties = Object.fromEntries(columns);
    const hasTwoColumns = columns.length === minColumns;
    const hasNumbers = Object.values(properties).some(({ type }) => type?.includes('number'));
    if (
      Object.keys(properties).length < minColumns ||
      (hasTwoColumns && (!hasNumbers || rows.length < minRowsOfTwoColumns))
    )
      continue;
    const items = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    return { type: 'array', description: 'One entry for each row of the table', items };
  }
  return null;
}

function isHeader(line: Line): boolean {
  const names = line.cells.filter(({ text }) => /^\p{L}/u.test(text) && text.length <= 30 && !/[:\d]/u.test(text));
  return line.cells.length >= minColumns && names.length === line.cells.length;
}

/** The lines right below a header with nearly as many cells. */
function rowsBelow(document: DocumentLines, header: Line): Line[] {
  const rows: Line[] = [];
  for (const line of document.lines.slice(header.index + 1)) {
    if (line.cells.length === 0 && rows.length === 0) continue;
    if (line.cells.length < Math.max(minColumns, header.cells.length - 1)) break;
    rows.push(line);
  }
  return rows;
}
