import { problemOfColumn, isSameName, typedValues } from '@docwright/agent-core';
import { DomainError, type Column, type ResponseFormat, type ValidationError } from '@docwright/contract';
import type { SchemaObject } from '../schemas/index.ts';
import { problemOfRegex } from './problem-of-regex.ts';

export type GivenColumn = Omit<Column, 'id' | 'expanded'>;

/** The property with the rows of a multi-row schema. */
export const rowsProperty = 'rows';
/** The `title` that marks an amount of money; all providers accept this keyword. */
export const currencyTitle = 'currency';

/** The exact types of fields, which columns do not express: `integer` or `number`, and with or without `null`. */
export type ExactTypes = ReadonlyMap<string, { columnType: Column['type']; types: readonly string[] }>;

/** The schema that columns are saved to. What they do not express is preserved. */
interface SchemaBefore {
  format: ResponseFormat;
  exact: ExactTypes;
  /** Names of the fields that are no columns. */
  kept: readonly string[];
  /** The schema of the rows, if the schema was a multi-row schema. */
  rows: SchemaObject | undefined;
  /** By name: kept fields with changed tables, and new lists, which follow the other fields. */
  tables?: ReadonlyMap<string, SchemaObject>;
}

/**
 * The response format of columns: one property for each column, with its name, in the order of `required`. Each property
 * allows null: a document might lack the value. A column with the same type as `before` preserves its exact type, and
 * fields that are no columns stay the same in the same place. Throws `invalid_columns` with the paths in `details`.
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
    // An existing schema can have names that differ only in case.
    const kept = (before?.kept ?? []).filter((each) => each === column.name || !known.has(column.name));
    return errorsOf(column, [...columns.slice(0, at), ...kept.map((each) => ({ name: each }))]);
  });
  const newLists = [...(before?.tables?.keys() ?? [])].filter((each) => before?.kept.includes(each) !== true);
  const taken = newLists.filter((each) => columns.some((column) => isSameName(column.name, each)));
  errors.push(...taken.map((path) => ({ path, message: 'A column has this name. Choose another name for the list.' })));
  if (errors.length > 0) {
    const lines = errors.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
    throw new DomainError('invalid', 'invalid_columns', lines.join('\n'), errors);
  }
  const json_schema = before?.format.json_schema;
  const propertiesBefore = (rowBefore?.['properties'] ?? {}) as SchemaObject;
  const order = mergeOrder(
    columns.map((column) => column.name),
    before?.kept ?? [],
    rowBefore?.['required'],
  );
  const fields = new Map(columns.map((column) => [column.name, fieldOf(column, before?.exact ?? new Map())]));
  const properties = Object.fromEntries(
    [...order, ...newLists].map((each) => [
      each,
      fields.get(each) ?? before?.tables?.get(each) ?? propertiesBefore[each],
    ]),
  );
  const row = {
    ...(before?.rows ?? (multiRow ? {} : json_schema?.schema)),
    ...objectOf(properties, [...order, ...newLists]),
  };
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

/** The columns in their order; each kept field follows the same neighbour as before. */
function mergeOrder(columns: readonly string[], kept: readonly string[], before: unknown): string[] {
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
  const same = before.find(({ name }) => isSameName(name, column.name));
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

/** `integer` becomes `number` if an allowed value has a fraction. */
function typesFor(values: readonly unknown[], types: readonly string[]): string[] {
  const areWhole = values.every((value) => Number.isInteger(value));
  return types.map((type) => (type === 'integer' && !areWhole ? 'number' : type));
}

/** Providers accept letters, digits and `_`. */
function machineName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['schema'];
  return words.join('_').slice(0, 64);
}
