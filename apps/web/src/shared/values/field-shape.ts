import { capitalize } from '../formats/capitalize.ts';
import { isRecord } from '../http/json-value.ts';

export type JsonSchema = Record<string, unknown>;

/** The kind of values a field holds, read from its schema or guessed from its value. */
export interface FieldShape {
  type: 'text' | 'number' | 'integer' | 'boolean';
  nullable: boolean;
  options?: (string | number | boolean)[];
  description?: string;
  /** The schema's `format`, such as `date`. */
  format?: string;
  /** Set if its texts are days such as `2026-01-31`, by the format, the description or the value. */
  isDay?: true;
}

const acronyms = new Set('abn bic ein gst iban id po ssn swift tin uid url vat'.split(' '));

/** `invoice_number`, `invoiceNumber` → "Invoice number", `po_number` → "PO number". */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  if (words === '') return key;
  const spelled = words.replace(/[a-z]+/gi, (word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word));
  return capitalize(spelled);
}

export function propertySchema(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const properties = nonNull(schema)?.['properties'];
  const property = isRecord(properties) ? properties[key] : undefined;
  return isRecord(property) ? property : undefined;
}

export function itemSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  const items = nonNull(schema)?.['items'];
  return isRecord(items) ? items : undefined;
}

/** The non-null alternative of an `anyOf` or `oneOf`. */
function nonNull(schema: JsonSchema | undefined): JsonSchema | undefined {
  const alternatives = schema?.['anyOf'] ?? schema?.['oneOf'];
  if (!Array.isArray(alternatives)) return schema;
  const alternative = alternatives.find((option) => isRecord(option) && option['type'] !== 'null');
  return isRecord(alternative) ? alternative : schema;
}

/** The JSON types that a schema allows, including `null`. */
export function typesOf(schema: JsonSchema | undefined): string[] {
  if (!schema) return [];
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return alternatives.flatMap((option) => (isRecord(option) ? typesOf(option) : []));
  return [schema['type']].flat().filter((type) => typeof type === 'string');
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/u;
const namesIsoDay = /\bYYYY-MM-DD\b(?![T ]*hh)/iu;

export function shapeOf(schema: JsonSchema | undefined, value: string | number | boolean | null): FieldShape {
  const types = typesOf(schema);
  const named = types.find((type) => type !== 'null') ?? typeof value;
  const type = named === 'number' || named === 'integer' || named === 'boolean' ? named : 'text';
  const main = nonNull(schema);
  const options = Array.isArray(main?.['enum'])
    ? main['enum'].filter((option) => option !== null && typeof option !== 'object')
    : undefined;
  const description = schema?.['description'] ?? main?.['description'];
  const format = main?.['format'];
  const isDay =
    type === 'text' &&
    options === undefined &&
    (format === 'date' ||
      (typeof description === 'string' && namesIsoDay.test(description)) ||
      (typeof value === 'string' && isoDay.test(value)));
  return {
    type,
    nullable: types.length === 0 || types.includes('null'),
    ...(options ? { options } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof format === 'string' ? { format } : {}),
    ...(isDay ? { isDay } : {}),
  };
}
