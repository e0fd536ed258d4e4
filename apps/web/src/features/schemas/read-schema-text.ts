import type { ResponseFormat } from '@docwright/contract';
import { isRecord } from '../../shared/http/json-value.ts';

type ReadSchema = { schema: Record<string, unknown>; error?: undefined } | { schema?: undefined; error: string };

/** Reads a schema from JSON text, which can also be a whole `response_format`. */
export function readSchemaText(text: string): ReadSchema {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { error: `This is not JSON yet: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
  const wrapper = isRecord(value) && value['type'] === 'json_schema' ? value['json_schema'] : undefined;
  const schema = isRecord(wrapper) ? wrapper['schema'] : value;
  return isRecord(schema) ? { schema } : { error: 'A schema is a JSON object: { "type": "object", … }.' };
}

/** A name that model services accept in a `response_format`: letters, digits, `_` and `-`, up to 64. */
export function formatName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 64);
  return plain === '' ? 'schema' : plain;
}

/** Wraps a schema in the former `response_format`, or in a default one. */
export function responseFormatOf(
  schema: Record<string, unknown>,
  name: string,
  former: ResponseFormat | undefined,
): ResponseFormat {
  const around = former?.json_schema ?? { name: formatName(name), strict: true };
  return { type: 'json_schema', json_schema: { ...around, schema } };
}

/** The initial text of a new schema. */
export const startingSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'The title as it stands on the first page' },
    date: { type: ['string', 'null'], description: 'The date of the document, as YYYY-MM-DD' },
  },
  required: ['title', 'date'],
  additionalProperties: false,
};
