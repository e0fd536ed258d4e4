import { DomainError, type ResponseFormat } from '@docwright/contract';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** One change of `edit_schema`. `path` names a field: `total`, `seller.name`, `line_items[].amount`. */
export const schemaChange = z.strictObject({
  op: z.enum(['add', 'remove', 'rename', 'set']),
  path: z
    .string()
    .min(1)
    .max(500)
    .describe('The path of the field, for example total, seller.name or line_items[].amount.'),
  name: z.string().min(1).max(200).optional().describe('For rename: the new name, without the path.'),
  definition: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For add and set: the complete JSON schema of the field.'),
});
export type SchemaChange = z.infer<typeof schemaChange>;

/**
 * Returns a copy of a format with the changes applied in order. New fields are added to `required`. Objects and lists on
 * the path must exist. Throws a DomainError of kind `invalid` (`change_does_not_fit`) that names the change and what to do.
 *
 * @example
 * import type { ResponseFormat } from '@docwright/contract';
 * import { withChanges } from '@docwright/agent-core';
 *
 * declare const format: ResponseFormat;
 * withChanges(format, [{ op: 'add', path: 'due_date', definition: { type: ['string', 'null'] } }]);
 */
export function withChanges(format: ResponseFormat, changes: readonly SchemaChange[]): ResponseFormat {
  const changed = structuredClone(format);
  for (const change of changes) apply(changed.json_schema.schema, change);
  return changed;
}

function apply(root: JsonSchema, change: SchemaChange): void {
  const keys = change.path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((schema, key) => childOf(schema, key, change), root);
  const properties = objectOf(parent['properties']);
  if (properties === undefined) throw changeError(change, 'there is no object at that place');
  const name = last.replace(/\[\]$/, '');
  const known = Object.hasOwn(properties, name);
  if (change.op === 'add' && known)
    throw changeError(change, `there is a field "${name}" already; use set to replace it`);
  if (change.op !== 'add' && !known)
    throw changeError(change, `there is no such field; there are ${namesOf(properties)}`);
  switch (change.op) {
    case 'add':
      properties[name] = definitionOf(change);
      parent['required'] = [...requiredOf(parent), name];
      return;
    case 'set':
      if (last.endsWith('[]')) (properties[name] as JsonSchema)['items'] = definitionOf(change);
      else properties[name] = definitionOf(change);
      return;
    case 'remove':
      delete properties[name];
      parent['required'] = requiredOf(parent).filter((each) => each !== name);
      return;
    case 'rename': {
      const next = change.name;
      if (next === undefined) throw changeError(change, 'give the new name in "name"');
      if (Object.hasOwn(properties, next)) throw changeError(change, `there is a field "${next}" already`);
      const renamed = Object.entries(properties).map(([key, value]) => [key === name ? next : key, value]);
      parent['properties'] = Object.fromEntries(renamed);
      parent['required'] = requiredOf(parent).map((each) => (each === name ? next : each));
    }
  }
}

/** The schema below a key. For a list, with or without brackets, the schema of its items. */
function childOf(schema: JsonSchema, key: string, change: SchemaChange): JsonSchema {
  const name = key.replace(/\[\]$/, '');
  const properties = objectOf(schema['properties']) ?? {};
  const child = Object.hasOwn(properties, name) ? objectOf(properties[name]) : undefined;
  if (child === undefined)
    throw changeError(change, `there is no field "${name}" on the way; there are ${namesOf(properties)}`);
  return objectOf(child['items']) ?? child;
}

function definitionOf(change: SchemaChange): JsonSchema {
  if (change.definition === undefined) throw changeError(change, 'give the field’s JSON schema in "definition"');
  return change.definition;
}

function requiredOf(schema: JsonSchema): string[] {
  return Array.isArray(schema['required']) ? schema['required'].map(String) : [];
}

function namesOf(properties: JsonSchema): string {
  const names = Object.keys(properties);
  return names.length === 0 ? 'none' : names.slice(0, 50).join(', ');
}

/** The value if it is a JSON object; undefined for anything else. */
export function objectOf(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}

function changeError({ op, path }: SchemaChange, why: string): DomainError {
  return new DomainError('invalid', 'change_does_not_fit', `The change "${op} ${path}" does not fit: ${why}.`);
}
