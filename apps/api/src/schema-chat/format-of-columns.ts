import { problemOfColumn, sameName, typedValues } from '@docwright/agent-core';
import { DomainError, type Column, type ResponseFormat, type ValidationError } from '@docwright/contract';
import type { SchemaObject } from '../schemas/schema-nodes.ts';
import { problemOfRegex } from './problem-of-regex.ts';

export type GivenColumn = Omit<Column, 'id' | 'expanded'>;

/** Under which the rows of a multi row schema stand. */
export const rowsProperty = 'rows';
/** Tells an amount of money from any other number; a keyword that every provider takes. */
export const currencyTitle = 'currency';

/**
 * The response format of columns: one property a column, named as it is, in the order of `required`; each may be null, since
 * any document may lack it. Throws `invalid_columns` with the places in `details`.
 */
export function formatOfColumns(name: string, columns: readonly GivenColumn[], multiRow: boolean): ResponseFormat {
  const errors = columns.flatMap((column, at) => errorsOf(column, columns.slice(0, at)));
  if (errors.length > 0) {
    const told = errors.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
    throw new DomainError('invalid', 'invalid_columns', told.join('\n'), errors);
  }
  const row = objectOf(Object.fromEntries(columns.map((column) => [column.name, fieldOf(column)])), columns);
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

function fieldOf({ type, description, allowedValues, regex }: GivenColumn): SchemaObject {
  const allowed = typedValues(type, allowedValues);
  const values = 'values' in allowed ? allowed.values : [];
  return {
    ...fieldTypes[type],
    ...(description !== '' && { description }),
    ...(values.length > 0 && { enum: [...values, null] }),
    ...(regex !== '' && { pattern: regex }),
  };
}

/** Letters, digits and `_`, as providers take it. */
function machineName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['schema'];
  return words.join('_').slice(0, 64);
}
