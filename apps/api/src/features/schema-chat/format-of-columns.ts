import { problemOfColumn, sameName, typedValues } from '@docwright/agent-core';
import { DomainError, type Column, type ResponseFormat, type ValidationError } from '@docwright/contract';
import type { SchemaObject } from '../schemas/schema-nodes.ts';
import { problemOfRegex } from './problem-of-regex.ts';

export type GivenColumn = Omit<Column, 'id' | 'expanded'>;

/** Under which the rows of a multi row schema stand. */
export const rowsProperty = 'rows';
/** Tells an amount of money from any other number; a keyword that every provider takes. */
export const currencyTitle = 'currency';

/** What a schema says of a field more exactly than its column: `integer` rather than `number`, and whether it may be null. */
export type ExactTypes = ReadonlyMap<string, { columnType: Column['type']; types: readonly string[] }>;

/**
 * The response format of columns: one property a column, named as it is, in the order of `required`; each may be null, since
 * any document may lack it. A column that is of the type it was keeps its `exact` one. Throws `invalid_columns` with the
 * places in `details`.
 */
export function formatOfColumns(
  name: string,
  columns: readonly GivenColumn[],
  multiRow: boolean,
  exact: ExactTypes = new Map(),
): ResponseFormat {
  const errors = columns.flatMap((column, at) => errorsOf(column, columns.slice(0, at)));
  if (errors.length > 0) {
    const told = errors.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
    throw new DomainError('invalid', 'invalid_columns', told.join('\n'), errors);
  }
  const row = objectOf(Object.fromEntries(columns.map((column) => [column.name, fieldOf(column, exact)])), columns);
  const rows = { [rowsProperty]: { type: 'array', items: row } };
  const schema = multiRow ? objectOf(rows, [{ name: rowsProperty }]) : row;
  return { type: 'json_schema', json_schema: { name: machineName(name), strict: true, schema } };
}

function errorsOf(column: GivenColumn, before: readonly GivenColumn[]): ValidationError[] {
  const problem = problemOfColumn(column, problemOfRegex);
  if (problem !== undefined) return [{ path: column.name, message: problem }];
  const same = before.find(({ name }) => sameName(name, column.name));
  return same
    ? [{ path: column.name, message: `There is a column "${same.name}" before it. Rename one of them.` }]
    : [];
}

function objectOf(properties: SchemaObject, inOrder: readonly { name: string }[]): SchemaObject {
  return { type: 'object', properties, required: inOrder.map(({ name }) => name), additionalProperties: false };
}

const fieldTypes: Record<Column['type'], SchemaObject> = {
  text: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  currency: { type: ['number', 'null'], title: currencyTitle },
  boolean: { type: ['boolean', 'null'] },
};

function fieldOf({ name, type, description, allowedValues, regex }: GivenColumn, exact: ExactTypes): SchemaObject {
  const allowed = typedValues(type, allowedValues);
  const values = 'values' in allowed ? allowed.values : [];
  const before = exact.get(name);
  const plain = fieldTypes[type];
  const types = before?.columnType === type ? typesFor(values, before.types) : [plain['type']].flat();
  return {
    ...plain,
    type: types.length === 1 ? types[0] : types,
    ...(description !== '' && { description }),
    ...(values.length > 0 && { enum: types.includes('null') ? [...values, null] : values }),
    ...(regex !== '' && { pattern: regex }),
  };
}

/** Whole numbers alone cannot hold a value with a fraction that is allowed from now on. */
function typesFor(values: readonly unknown[], types: readonly string[]): string[] {
  const areWhole = values.every((value) => Number.isInteger(value));
  return types.map((type) => (type === 'integer' && !areWhole ? 'number' : type));
}

/** Letters, digits and `_`, as providers take it. */
function machineName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['schema'];
  return words.join('_').slice(0, 64);
}
