import { isRecord } from '../http/json-value.ts';

export type JsonSchema = Record<string, unknown>;

/** What a field may hold, as far as its schema or its value tells. */
export interface FieldShape {
  type: 'text' | 'number' | 'integer' | 'boolean';
  nullable: boolean;
  options?: (string | number | boolean)[];
  description?: string;
  /** The schema's word for a kind of text, such as `date`. */
  format?: string;
}

/** Written in capitals wherever they stand. */
const acronyms = new Set('abn bic ein gst iban id po ssn swift tin uid url vat'.split(' '));

/** `invoice_number`, `invoiceNumber` → "Invoice number", `po_number` → "PO number". */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  if (words === '') return key;
  const spelled = words.replace(/[a-z]+/gi, (word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word));
  return spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

export function propertySchema(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const properties = plain(schema)?.['properties'];
  const own = isRecord(properties) ? properties[key] : undefined;
  return isRecord(own) ? own : undefined;
}

export function itemSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  const items = plain(schema)?.['items'];
  return isRecord(items) ? items : undefined;
}

/** The alternative of an `anyOf`/`oneOf` that is not null. */
function plain(schema: JsonSchema | undefined): JsonSchema | undefined {
  const alternatives = schema?.['anyOf'] ?? schema?.['oneOf'];
  if (!Array.isArray(alternatives)) return schema;
  const own = alternatives.find((each) => isRecord(each) && each['type'] !== 'null');
  return isRecord(own) ? own : schema;
}

/** The JSON types that a schema names for a value, `null` among them. */
export function typesOf(schema: JsonSchema | undefined): string[] {
  if (!schema) return [];
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return alternatives.flatMap((each) => (isRecord(each) ? typesOf(each) : []));
  return [schema['type']].flat().filter((type) => typeof type === 'string');
}

export function shapeOf(schema: JsonSchema | undefined, value: string | number | boolean | null): FieldShape {
  const types = typesOf(schema);
  const named = types.find((type) => type !== 'null') ?? typeof value;
  const type = named === 'number' || named === 'integer' || named === 'boolean' ? named : 'text';
  const own = plain(schema);
  const options = Array.isArray(own?.['enum'])
    ? own['enum'].filter((option) => option !== null && typeof option !== 'object')
    : undefined;
  const description = schema?.['description'] ?? own?.['description'];
  const format = own?.['format'];
  return {
    type,
    nullable: types.length === 0 || types.includes('null'),
    ...(options ? { options } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof format === 'string' ? { format } : {}),
  };
}
