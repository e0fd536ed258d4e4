import type { FieldEdit } from '../../conversation/field-edits.ts';
import { wordSimilarity } from '../../fill/labels/word-similarity.ts';
import type { FieldSchema } from '../../fill/schema/json-schema.ts';
import { wordsOf } from '../../page/fold.ts';
import { newField, propertyNameFor } from '../../propose/new-field.ts';
import { objectSchema, type ObjectSchema } from '../../propose/propose-schema.ts';

export interface EditedSchema {
  schema: ObjectSchema;
  /** Descriptions of the applied changes. */
  done: string[];
  /** Descriptions of the failed changes. */
  failed: string[];
}

const minSimilarity = 0.6;

/** Applies edits in order. Finds a field by the words of its name, at the top level or in a list of objects. */
export function applyFieldEdits(schema: ObjectSchema, edits: readonly FieldEdit[]): EditedSchema {
  const done: string[] = [];
  const failed: string[] = [];
  let edited = schema;
  for (const edit of edits) {
    const result = edit.kind === 'add' ? add(edited, edit) : change(edited, edit);
    if (typeof result === 'string') failed.push(result);
    else {
      edited = result.schema;
      done.push(result.description);
    }
  }
  return { schema: edited, done, failed };
}

type Changed = { schema: ObjectSchema; description: string };

function add(schema: ObjectSchema, edit: Extract<FieldEdit, { kind: 'add' }>): Changed | string {
  const name = propertyNameFor(edit.field);
  if (name === '') return `“${edit.field}” has no letters for a field name.`;
  const list = edit.toItems
    ? Object.entries(schema.properties).find(([, property]) => property.items?.properties)
    : undefined;
  const target = list?.[1].items?.properties ?? schema.properties;
  if (Object.hasOwn(target, name)) return `there is already a field \`${name}\`.`;
  const properties = { ...target, [name]: newField(edit.field, edit.type) };
  const description = `added \`${list ? `${list[0]}.` : ''}${name}\``;
  return { schema: list ? withItems(schema, list[0], properties) : withProperties(schema, properties), description };
}

function change(schema: ObjectSchema, edit: Exclude<FieldEdit, { kind: 'add' }>): Changed | string {
  const top = matchProperty(schema.properties, edit.field);
  if (top !== null) {
    const properties = changedProperties(schema.properties, top, edit);
    return typeof properties === 'string'
      ? properties
      : { schema: withProperties(schema, properties), description: describeEdit(top, edit) };
  }
  for (const [list, property] of Object.entries(schema.properties)) {
    const columns = property.items?.properties ?? {};
    const column = matchProperty(columns, edit.field);
    if (column === null) continue;
    const properties = changedProperties(columns, column, edit);
    return typeof properties === 'string'
      ? properties
      : { schema: withItems(schema, list, properties), description: describeEdit(`${list}.${column}`, edit) };
  }
  return `there is no field like “${edit.field}”; there are ${Object.keys(schema.properties).join(', ')}.`;
}

function changedProperties(
  properties: Record<string, FieldSchema>,
  name: string,
  edit: Exclude<FieldEdit, { kind: 'add' }>,
): Record<string, FieldSchema> | string {
  if (edit.kind === 'drop') return Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));
  const to = propertyNameFor(edit.to);
  if (to === '' || (to !== name && Object.hasOwn(properties, to)))
    return `\`${name}\` cannot be renamed to “${edit.to}”, as there is such a field already.`;
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key === name ? to : key, value]));
}

function describeEdit(path: string, edit: Exclude<FieldEdit, { kind: 'add' }>): string {
  return edit.kind === 'drop' ? `dropped \`${path}\`` : `renamed \`${path}\` to \`${propertyNameFor(edit.to)}\``;
}

/** The property whose name has these words, otherwise the most similar one; null when none is similar enough. */
function matchProperty(properties: Record<string, FieldSchema>, words: string): string | null {
  const names = Object.keys(properties);
  const exact = names.find((name) => wordsOf(name) === wordsOf(words));
  if (exact !== undefined) return exact;
  const [best] = names.map((name) => ({ name, score: wordSimilarity(name, words) })).sort((a, b) => b.score - a.score);
  return best && best.score >= minSimilarity ? best.name : null;
}

function withProperties(schema: ObjectSchema, properties: Record<string, FieldSchema>): ObjectSchema {
  return { ...schema, ...objectSchema(properties) };
}

function withItems(schema: ObjectSchema, list: string, properties: Record<string, FieldSchema>): ObjectSchema {
  const property = schema.properties[list];
  const items = { ...property?.items, ...objectSchema(properties) };
  return withProperties(schema, { ...schema.properties, [list]: { ...property, items } });
}
