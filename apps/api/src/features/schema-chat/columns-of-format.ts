import { createHash } from 'node:crypto';
import { sameName } from '@docwright/agent-core';
import {
  column as columnShape,
  DomainError,
  writeAllowedValues,
  type Column,
  type ResponseFormat,
} from '@docwright/contract';
import { isSchemaObject, type SchemaObject } from '../schemas/schema-nodes.ts';
import { currencyTitle, rowsProperty, type ExactTypes } from './format-of-columns.ts';

const mostColumns = 200;
const objectKeywords = new Set(['$schema', 'type', 'properties', 'required', 'additionalProperties']);
const fieldKeywords = new Set(['type', 'title', 'description', 'enum', 'format', 'pattern']);

/**
 * The columns of a schema, in the order of `required`; a column's id stays over the revisions of its schema. Throws
 * `not_columns` where the schema says more than columns can, naming the field. Two things that columns do not tell
 * are let pass, and kept by `exactTypesOf` when the columns are saved: whether a value may be null, and whole numbers.
 */
export function columnsOfFormat(schemaId: string, format: ResponseFormat): { columns: Column[]; multi_row: boolean } {
  const { schema } = format.json_schema;
  const rows = rowsOf(schema);
  const row = rows ?? schema;
  checkObject(row, rows === undefined ? '' : rowsProperty);
  const properties = isSchemaObject(row['properties']) ? row['properties'] : {};
  const names = Array.isArray(row['required']) ? row['required'].map(String) : [];
  if (names.length > mostColumns) throw notColumns('', `it has more than ${mostColumns} fields`);
  const columns = names.map((name, at) => {
    const same = names.slice(0, at).find((other) => sameName(other, name));
    if (same !== undefined) throw notColumns(name, `it differs from "${same}" in upper and lower case alone`);
    return columnOf(
      createHash('sha256').update(`${schemaId}/${name}`).digest('hex').slice(0, 24),
      name,
      properties[name],
    );
  });
  return { columns, multi_row: rows !== undefined };
}

/** What the columns of a schema do not tell of their types. Nothing of a schema that cannot be shown as columns. */
export function exactTypesOf(format: ResponseFormat): ExactTypes {
  try {
    const { schema } = format.json_schema;
    const { properties } = rowsOf(schema) ?? schema;
    const fields = isSchemaObject(properties) ? properties : {};
    return new Map(
      columnsOfFormat('', format).columns.flatMap(({ name, type }) => {
        const field = fields[name];
        return isSchemaObject(field) ? [[name, { columnType: type, types: [field['type']].flat().map(String) }]] : [];
      }),
    );
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_columns') return new Map();
    throw error;
  }
}

/** What stands in each row, where the schema is of many rows. */
function rowsOf(schema: SchemaObject): SchemaObject | undefined {
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  const rows = properties[rowsProperty];
  const isOnly = Object.keys(properties).length === 1;
  if (!isOnly || !isSchemaObject(rows) || rows['type'] !== 'array') return undefined;
  checkObject(schema, '');
  const other = Object.keys(rows).find((keyword) => keyword !== 'type' && keyword !== 'items');
  if (other !== undefined) throw notColumns(rowsProperty, `it has "${other}"`);
  if (!isSchemaObject(rows['items']) || rows['items']['type'] !== 'object') {
    throw notColumns(rowsProperty, 'it is a list of something else than rows');
  }
  return rows['items'];
}

function checkObject(schema: SchemaObject, path: string): void {
  const other = Object.keys(schema).find((keyword) => !objectKeywords.has(keyword));
  if (other !== undefined) throw notColumns(path, `it has "${other}"`);
}

function columnOf(id: string, name: string, field: unknown): Column {
  if (!isSchemaObject(field)) throw notColumns(name, 'it says nothing of its type');
  const type = typeOf(name, field);
  const other = Object.keys(field).find((keyword) => !fieldKeywords.has(keyword));
  if (other !== undefined) throw notColumns(name, `it has "${other}"`);
  const { description = '', pattern = '' } = field;
  const made = columnShape.safeParse({
    id,
    name,
    type,
    description,
    allowedValues: allowedValuesOf(name, field),
    regex: pattern,
  });
  if (made.success) return made.data;
  const [issue] = made.error.issues;
  throw notColumns(name, `its ${String(issue?.path[0])} does not fit a column (${issue?.message})`);
}

function typeOf(name: string, { type: types, format, title }: SchemaObject): Column['type'] {
  const [type, ...others] = [types].flat().filter((each) => each !== 'null');
  if (type === undefined || others.length > 0) throw notColumns(name, 'it is not of one plain type');
  if (type === 'object') throw notColumns(name, 'it is an object with fields of its own');
  if (type === 'array') throw notColumns(name, 'it is a list');
  const isCurrency = title === currencyTitle && type === 'number';
  if (title !== undefined && !isCurrency) throw notColumns(name, 'it has a title');
  if (format !== undefined && !(type === 'string' && format === 'date')) {
    throw notColumns(name, `it has the format ${JSON.stringify(format)}`);
  }
  switch (type) {
    case 'string':
      return format === 'date' ? 'date' : 'text';
    case 'number':
      return isCurrency ? 'currency' : 'number';
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      throw notColumns(name, `it is of the type ${JSON.stringify(type)}`);
  }
}

function allowedValuesOf(name: string, { enum: values, type: types }: SchemaObject): string {
  if (!Array.isArray(values)) return '';
  const type = [types].flat().find((each) => each !== 'null');
  const jsType = type === 'integer' ? 'number' : type;
  const allowed = values.filter((value) => value !== null);
  if (allowed.length === 0 || allowed.some((value) => typeof value !== jsType)) {
    throw notColumns(name, 'it allows values that are not of its type');
  }
  return writeAllowedValues(allowed.map(String));
}

function notColumns(field: string, why: string): DomainError {
  const where = field === '' ? 'The schema' : `The field "${field}"`;
  return new DomainError(
    'invalid',
    'not_columns',
    `${where} cannot be shown as columns: ${why}. Edit this schema in its own editor or with the document agent.`,
    [{ path: field, message: why }],
  );
}
