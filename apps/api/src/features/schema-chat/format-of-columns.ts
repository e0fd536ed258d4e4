import { problemOfColumn, sameName, typedValues } from '@docwright/agent-core';
import { DomainError, type Column, type ResponseFormat, type ValidationError } from '@docwright/contract';
import type { SchemaObject } from '../schemas/index.ts';
import { problemOfRegex } from './problem-of-regex.ts';

export type GivenColumn = Omit<Column, 'id' | 'expanded'>;

/** Under which the rows of a multi row schema stand. */
export const rowsProperty = 'rows';
/** Tells an amount of money from any other number; a keyword that every provider takes. */
export const currencyTitle = 'currency';

/** What a schema says of a field more exactly than its column: `integer` rather than `number`, and whether it may be null. */
export type ExactTypes = ReadonlyMap<string, { columnType: Column['type']; types: readonly string[] }>;

/** A schema that columns are saved over: what they do not express stays. */
interface SchemaBefore {
  format: ResponseFormat;
  exact: ExactTypes;
  /** Names of the fields that are no columns. */
  kept: readonly string[];
  /** What stands in each row, where the schema was of many rows. */
  rows: SchemaObject | undefined;
  /** By name: kept fields whose tables were changed, as they are to be. */
  tables?: ReadonlyMap<string, SchemaObject>;
}

/**
 * The response format of columns: one property a column, named as it is, in the order of `required`; each may be null, since
 * any document may lack it. A column that is of the type it was `before` keeps its exact one, and what is no column stays
 * as it is and where it is. Throws `invalid_columns` with the places in `details`.
 */
export function formatOfColumns(
  name: string,
  columns: readonly GivenColumn[],
  multiRow: boolean,
  before?: SchemaBefore,
): ResponseFormat {
  const rowBefore = before?.rows ?? before?.format.json_schema.schema;
  const known = new Set([rowBefore?.['required'] ?? []].flat().map(String));
  const errors = columns.flatMap((column, at) => {
    // A schema may have told names apart by case alone before.
    const kept = (before?.kept ?? []).filter((each) => each === column.name || !known.has(column.name));
    return errorsOf(column, [...columns.slice(0, at), ...kept.map((each) => ({ name: each }))]);
  });
  if (errors.length > 0) {
    const told = errors.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
    throw new DomainError('invalid', 'invalid_columns', told.join('\n'), errors);
  }
  const json_schema = before?.format.json_schema;
  const propertiesBefore = (rowBefore?.['properties'] ?? {}) as SchemaObject;
  const order = inPlace(
    columns.map((column) => column.name),
    before?.kept ?? [],
    rowBefore?.['required'],
  );
  const fields = new Map(columns.map((column) => [column.name, fieldOf(column, before?.exact ?? new Map())]));
  const properties = Object.fromEntries(
    order.map((each) => [each, fields.get(each) ?? before?.tables?.get(each) ?? propertiesBefore[each]]),
  );
  const row = { ...(before?.rows ?? (multiRow ? {} : json_schema?.schema)), ...objectOf(properties, order) };
  const rowsBefore = ((json_schema?.schema['properties'] ?? {}) as SchemaObject)[rowsProperty] as
    | SchemaObject
    | undefined;
  const list = { ...(before?.rows && rowsBefore), type: 'array', items: row };
  const outer = before?.rows ? json_schema?.schema : {};
  const schema = multiRow ? { ...outer, ...objectOf({ [rowsProperty]: list }, [rowsProperty]) } : row;
  const description = json_schema?.description === undefined ? {} : { description: json_schema.description };
  const strict = json_schema?.strict ?? true;
  return { type: 'json_schema', json_schema: { name: machineName(name), ...description, strict, schema } };
}

/** The columns in their order, with what is kept behind the same neighbour as before. */
function inPlace(columns: readonly string[], kept: readonly string[], before: unknown): string[] {
  const order = [...columns];
  const former = Array.isArray(before) ? before.map(String) : [];
  for (const name of former.filter((each) => kept.includes(each))) {
    const neighbour = former.slice(0, former.indexOf(name)).findLast((each) => order.includes(each));
    order.splice(neighbour === undefined ? 0 : order.indexOf(neighbour) + 1, 0, name);
  }
  return order;
}

function errorsOf(column: GivenColumn, before: readonly { name: string }[]): ValidationError[] {
  const problem = problemOfColumn(column, problemOfRegex);
  if (problem !== undefined) return [{ path: column.name, message: problem }];
  const same = before.find(({ name }) => sameName(name, column.name));
  return same
    ? [{ path: column.name, message: `There is a column "${same.name}" before it. Rename one of them.` }]
    : [];
}

function objectOf(properties: SchemaObject, required: readonly string[]): SchemaObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
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
