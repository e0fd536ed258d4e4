import { type FieldEdit, fieldEditsIn } from '../../conversation/field-edits.ts';
import { bareName, namesIn } from '../../conversation/names.ts';
import { wordsOf } from '../../page/fold.ts';
import { newField, propertyNameFor } from '../../propose/new-field.ts';
import { objectSchema, type ObjectSchema } from '../../propose/propose-schema.ts';
import { applyFieldEdits } from './apply-field-edits.ts';
import type { SchemaDraft } from './schema-draft.ts';

/** The user's wishes for a proposed schema. */
export interface SchemaWishes {
  name: string | null;
  /** The only fields of the schema; null when the user does not restrict them. */
  only: string[] | null;
  edits: FieldEdit[];
}

const nameWish =
  /(?<![\p{L}])(?:call(?:ed)?|named|titled|with the name|namens|(?:name|title|nenne|appelle)(?= (?:it|the|this|es|das|le)))(?: (?:it|the schema|this|es|das schema|le))?\s*:?\s+(?:["“'„«](?<quoted>[^"”'“»\n]{1,80})["”'»]|(?<bare>[^"“,.;\n]{2,80}?))(?=\s*(?:[,.;\n]|$|\band\b|\bwith\b|\bfor this\b|\bund\b))/iu;
const fieldsWish =
  /(?<![\p{L}])(?:with|having|of|mit|avec)\s+(?:(?:only|just|nur)\s+)?(?:(?:the|these|following|den|les)\s+)*(?:fields?|columns?|feldern?|champs?)\s*:?\s+(?<list>[^.\n]+?)(?:\s+and\s+(?:then\s+)?(?:extract|run)\b.*)?$/iu;
const onlyWish =
  /(?<![\p{L}])(?:only|just|nur)\s+(?:(?:the|these|following|fields?)\s+)*:?\s*(?<list>[^.\n]+?)(?:\s+and\s+(?:then\s+)?(?:extract|run)\b.*)?$/iu;

/** `A schema with invoice number, due date and total`. A single name is ignored, because it might not be a field. */
const schemaWithWish =
  /\bschema\s+(?:with|of|having|for)\s+(?:(?:the|these)\s+)*(?<list>(?!(?:this|that|the|it|them|these|those|key)\b)[^.\n]+?(?:,|\band\b)[^.\n]+?)(?:\s+and\s+(?:then\s+)?(?:extract|run)\b.*)?$/iu;

/** Reads the name, the fields and the changes that a message wishes for. */
export function wishesIn(text: string): SchemaWishes {
  const named = nameWish.exec(text)?.groups;
  const rest = text.replace(nameWish, ' ');
  const list = (fieldsWish.exec(rest) ?? onlyWish.exec(rest) ?? schemaWithWish.exec(rest))?.groups?.list;
  const edits = list === undefined ? fieldEditsIn(rest) : [];
  return {
    name: bareName(named?.quoted ?? named?.bare ?? '') || null,
    only: list === undefined ? null : namesIn(list),
    edits,
  };
}

/** A draft with the wished name, fields and changes. Changes that cannot be applied are left out. */
export function applyWishes(draft: SchemaDraft, wishes: SchemaWishes): SchemaDraft {
  const start = wishes.only === null ? draft.schema : onlyFields(draft.schema, wishes.only);
  return { name: wishes.name ?? draft.name, schema: applyFieldEdits(start, wishes.edits).schema };
}

/** The named fields, from the proposal if it has them, otherwise as new ones. */
function onlyFields(schema: ObjectSchema, names: readonly string[]): ObjectSchema {
  const entries = names.map((name) => {
    const known = Object.entries(schema.properties).find(([property]) => wordsOf(property) === wordsOf(name));
    return known ?? [propertyNameFor(name), newField(name, null)];
  });
  return objectSchema(Object.fromEntries(entries.filter(([name]) => name !== '')));
}
