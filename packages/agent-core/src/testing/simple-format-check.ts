import type { ValidationError } from '@docwright/contract';

/** The main rules for a response format or its inner schema, simplified for tests. */
export function formatErrors(format: unknown): ValidationError[] {
  const wrapped = (format as { json_schema?: { schema?: unknown } }).json_schema;
  const root = wrapped ? wrapped.schema : format;
  if ((root as { type?: unknown }).type !== 'object') return [{ path: '', message: 'The root is an object.' }];
  return objectErrors(root, '');
}

function objectErrors(node: unknown, path: string): ValidationError[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties, required, additionalProperties, items } = node as Record<string, unknown>;
  const errors = type === 'array' ? objectErrors(items, `${path}/items`) : [];
  if (type !== 'object') return errors;
  const names = Object.keys((properties as object | undefined) ?? {});
  const missing = names.filter((name) => !Array.isArray(required) || !required.includes(name));
  if (missing.length > 0) errors.push({ path, message: `required lacks ${missing.join(', ')}.` });
  if (additionalProperties !== false) errors.push({ path, message: 'additionalProperties is false.' });
  for (const name of names) {
    errors.push(...objectErrors((properties as Record<string, unknown>)[name], `${path}/properties/${name}`));
  }
  return errors;
}
