import { isRecord } from '../http/json-value.ts';
import { itemSchema, typesOf, type JsonSchema } from './field-shape.ts';

/** A property of a schema, as a table row. */
export interface SchemaRow {
  name: string;
  /** 0 for the properties of the root. */
  depth: number;
  type: string;
  description: string;
}

/** The schema inside a call's `response_format`, if it has one. */
export function schemaInArguments(args: Record<string, unknown>): JsonSchema | undefined {
  const format = args['response_format'];
  const json = isRecord(format) ? format['json_schema'] : undefined;
  const schema = isRecord(json) ? json['schema'] : undefined;
  return isRecord(schema) ? schema : undefined;
}

/** The properties of an object schema; those of nested objects and list items follow their parent. */
export function schemaRows(schema: JsonSchema, depth = 0): SchemaRow[] {
  const properties = schema['properties'];
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, value]) => {
    if (!isRecord(value)) return [];
    const description = typeof value['description'] === 'string' ? value['description'] : '';
    const row = { name, depth, type: typeLabel(value), description };
    return [row, ...schemaRows(itemSchema(value) ?? value, depth + 1)];
  });
}

const typeLabels: Record<string, string> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  object: 'group',
};

function typeLabel(schema: JsonSchema): string {
  const types = typesOf(schema);
  const main = types.find((type) => type !== 'null');
  const items = itemSchema(schema);
  if (main === 'array') return `list of ${items ? pluralTypeLabel(items) : 'anything'}`;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].filter((option) => option !== null).join(', ')}`;
  const format = typeof schema['format'] === 'string' ? schema['format'] : undefined;
  return format ?? typeLabels[main ?? ''] ?? main ?? 'anything';
}

function pluralTypeLabel(items: JsonSchema): string {
  const label = typeLabel(items);
  return label === 'group' ? 'groups' : label;
}
