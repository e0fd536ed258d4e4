import { createHash } from 'node:crypto';
import { isSameName } from '@docwright/agent-core';
import {
  column as columnShape,
  writeAllowedValues,
  type Column,
  DomainError,
  type KeptField,
  type ResponseFormat,
  type ValidationError,
} from '@docwright/contract';
import { isSchemaObject, type SchemaObject } from '../schemas/index.ts';
import {
  currencyTitle,
  formatOfColumns,
  rowsProperty,
  type ExactTypes,
  type GivenColumn,
} from './format-of-columns.ts';

const maxColumns = 200;
const fieldKeywords = new Set(['type', 'title', 'description', 'enum', 'format', 'pattern']);

interface ColumnsOfFormat {
  columns: Column[];
  multi_row: boolean;
  kept: KeptField[];
}

/**
 * The columns of a schema, in the order of `required`; a column has the same id in all revisions of its schema. A field
 * that columns cannot express is in `kept`; a list of objects has the columns of its table there. When columns are saved
 * to their schema, `formatOfColumns` preserves what they do not express.
 */
export function columnsOfFormat(schemaId: string, format: ResponseFormat): ColumnsOfFormat {
  const { schema } = format.json_schema;
  const rows = rowsOf(schema);
  return { ...fieldsOf(schemaId, rows ?? schema), multi_row: rows !== undefined };
}

function fieldsOf(idPrefix: string, row: SchemaObject): Omit<ColumnsOfFormat, 'multi_row'> {
  const properties = isSchemaObject(row['properties']) ? row['properties'] : {};
  const names = Array.isArray(row['required']) ? row['required'].map(String) : [];
  const columns: Column[] = [];
  const kept: KeptField[] = [];
  for (const name of names) {
    const field = properties[name];
    const same = columns.find((other) => isSameName(other.name, name));
    const columnOrReason = same
      ? `it differs from "${same.name}" only in upper and lower case`
      : columns.length >= maxColumns
        ? `there are ${maxColumns} columns before it`
        : columnOf(createHash('sha256').update(`${idPrefix}/${name}`).digest('hex').slice(0, 24), name, field);
    if (typeof columnOrReason !== 'string') columns.push(columnOrReason);
    else kept.push({ name, why: columnOrReason, ...tableOf(`${idPrefix}/${name}`, field), schema: field });
  }
  return { columns, kept };
}

/** A list of objects is a table of its own. */
function tableOf(idPrefix: string, field: unknown): Pick<KeptField, 'columns'> {
  const items = itemsOf(field);
  return items ? { columns: fieldsOf(idPrefix, items).columns } : {};
}

/** The schema of the rows of a list of objects; undefined for any other field. */
function itemsOf(field: unknown): SchemaObject | undefined {
  if (!isSchemaObject(field)) return undefined;
  const { items } = field;
  return isSchemaObject(items) && isSchemaObject(items['properties']) ? items : undefined;
}

/** The exact types of columns, which columns do not express. */
export function exactTypesOf(format: ResponseFormat): ExactTypes {
  const { schema } = format.json_schema;
  return exactTypesIn(rowsOf(schema) ?? schema);
}

function exactTypesIn(row: SchemaObject): ExactTypes {
  const { properties } = row;
  const fields = isSchemaObject(properties) ? properties : {};
  return new Map(
    fieldsOf('', row).columns.flatMap(({ name, type }) => {
      const field = fields[name];
      return isSchemaObject(field) ? [[name, { columnType: type, types: [field['type']].flat().map(String) }]] : [];
    }),
  );
}

/**
 * Changes the columns in the tables of lists of objects; preserves what columns do not express. A table that the schema
 * does not have becomes a new list. Throws `invalid_columns`;
 * each path starts with the name of the table.
 */
export function changedTables(
  format: ResponseFormat,
  tables: readonly { name: string; columns: readonly GivenColumn[] }[],
): ReadonlyMap<string, SchemaObject> {
  const { schema } = format.json_schema;
  const { properties } = rowsOf(schema) ?? schema;
  const fields = isSchemaObject(properties) ? properties : {};
  return new Map(
    tables.map(({ name, columns }) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined) return [name, { type: 'array', items: itemsOfColumns(name, columns) }];
      const items = itemsOf(field);
      if (!items)
        throw invalidTable([
          { path: name, message: 'This field of the schema is no list of objects. Choose another name for the list.' },
        ]);
      return [name, { ...(field as SchemaObject), items: changedItems(name, items, columns) }];
    }),
  );
}

function changedItems(name: string, items: SchemaObject, columns: readonly GivenColumn[]): SchemaObject {
  const format: ResponseFormat = { type: 'json_schema', json_schema: { name: 'items', strict: true, schema: items } };
  const kept = fieldsOf('', items).kept.map((field) => field.name);
  return itemsOfColumns(name, columns, { format, exact: exactTypesIn(items), kept, rows: undefined });
}

function itemsOfColumns(
  name: string,
  columns: readonly GivenColumn[],
  before?: Parameters<typeof formatOfColumns>[3],
): SchemaObject {
  try {
    return formatOfColumns('items', columns, false, before).json_schema.schema;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_columns') throw error;
    const errors = (error.details ?? []) as ValidationError[];
    throw invalidTable(errors.map(({ path, message }) => ({ path: `${name}.${path}`, message })));
  }
}

function invalidTable(errors: ValidationError[]): DomainError {
  const lines = errors.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
  return new DomainError('invalid', 'invalid_columns', lines.join('\n'), errors);
}

/** The schema of the rows of a multi-row schema; undefined for other schemas. */
export function rowsOf(schema: SchemaObject): SchemaObject | undefined {
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  const rows = properties[rowsProperty];
  const isOnly = Object.keys(properties).length === 1;
  if (!isOnly || !isSchemaObject(rows) || rows['type'] !== 'array') return undefined;
  const { items } = rows;
  return isSchemaObject(items) && items['type'] === 'object' ? items : undefined;
}

/** The column, or the reason why the field cannot be shown as one. */
function columnOf(id: string, name: string, field: unknown): Column | string {
  if (!isSchemaObject(field)) return 'it has no type';
  const type = typeOf(field);
  if ('why' in type) return type.why;
  const other = Object.keys(field).find((keyword) => !fieldKeywords.has(keyword));
  if (other !== undefined) return `it has "${other}"`;
  const allowedValues = allowedValuesOf(field);
  if (allowedValues === undefined) return 'it allows values that are not of its type';
  const { description = '', pattern = '' } = field;
  const parsed = columnShape.safeParse({
    id,
    name,
    type: type.is,
    description,
    allowedValues,
    regex: pattern,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `its ${String(issue?.path[0])} does not fit a column (${issue?.message})`;
}

function typeOf({ type: types, format, title }: SchemaObject): { is: Column['type'] } | { why: string } {
  const [type, ...others] = [types].flat().filter((each) => each !== 'null');
  if (type === undefined || others.length > 0) return { why: 'it is not of one plain type' };
  if (type === 'object') return { why: 'it is an object with fields of its own' };
  if (type === 'array') return { why: 'it is a list' };
  const isCurrency = title === currencyTitle && type === 'number';
  if (title !== undefined && !isCurrency) return { why: 'it has a title' };
  if (format !== undefined && !(type === 'string' && format === 'date')) {
    return { why: `it has the format ${JSON.stringify(format)}` };
  }
  switch (type) {
    case 'string':
      return { is: format === 'date' ? 'date' : 'text' };
    case 'number':
      return { is: isCurrency ? 'currency' : 'number' };
    case 'integer':
      return { is: 'number' };
    case 'boolean':
      return { is: 'boolean' };
    default:
      return { why: `it is of the type ${JSON.stringify(type)}` };
  }
}

/** Undefined if a value does not have the field's type. */
function allowedValuesOf({ enum: values, type: types }: SchemaObject): string | undefined {
  if (!Array.isArray(values)) return '';
  const type = [types].flat().find((each) => each !== 'null');
  const jsType = type === 'integer' ? 'number' : type;
  const allowed = values.filter((value) => value !== null);
  if (allowed.length === 0 || allowed.some((value) => typeof value !== jsType)) return undefined;
  return writeAllowedValues(allowed.map(String));
}
