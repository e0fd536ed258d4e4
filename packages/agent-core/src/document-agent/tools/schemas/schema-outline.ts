import type { ResponseFormat } from '@docwright/contract';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Shown in words or by the lines below; every other keyword is shown as it is written. */
const told = new Set(['type', 'description', 'properties', 'items', 'required', 'additionalProperties']);

/**
 * A response format as text that can be read and compared line by line: one line a field, `- total: number or null —
 * what it means {"minimum":0}`, nested fields indented below their own.
 */
export function schemaOutline({ json_schema }: ResponseFormat): string {
  return [`Format: ${json_schema.name}${rest(json_schema.schema)}`, ...fieldLines(json_schema.schema, 0)].join('\n');
}

function fieldLines(schema: JsonSchema, depth: number): string[] {
  const nested = objectOf(schema['items']) ?? schema;
  const properties = objectOf(nested['properties']) ?? {};
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = objectOf(value) ?? {};
    const description = typeof field['description'] === 'string' ? ` — ${oneLine(field['description'])}` : '';
    const line = `${'  '.repeat(depth)}- ${name}: ${typeWords(field)}${description}${rest(field)}`;
    return [line, ...fieldLines(field, depth + 1)];
  });
}

function typeWords(schema: JsonSchema): string {
  const types = [schema['type'] ?? 'anything'].flat().map(String);
  const items = objectOf(schema['items']);
  return types.map((type) => (type === 'array' && items ? `list of ${typeWords(items)}` : type)).join(' or ');
}

/** Keywords that the line does not say in words, those of a list's entries too. */
function rest(schema: JsonSchema): string {
  const items = objectOf(schema['items']);
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !told.has(keyword)));
  const text = Object.keys(own).length === 0 ? '' : ` ${JSON.stringify(own)}`;
  const ofItems = items ? rest(items) : '';
  return ofItems === '' ? text : `${text}, each${ofItems}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function objectOf(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}
