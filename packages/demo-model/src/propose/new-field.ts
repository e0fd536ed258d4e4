import { describeField } from '../fill/schema/field.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import { wordsOf } from '../page/fold.ts';
import { fieldsOfKind } from './kind-fields.ts';

const numericName =
  /(?:^| )(?:amount|total|subtotal|price|cost|sum|tax|fee|quantity|qty|count|balance|rate|percent|discount|betrag|summe|preis|menge|montant|prix|net|gross|hours|weight)$/u;
const yesNoName = /^(?:is|has|was|are|paid|signed)(?: |$)/u;

/** A property name for words: `due_date` for `Due date`. */
export function propertyNameFor(words: string): string {
  return wordsOf(words).replaceAll(' ', '_');
}

/** The schema of a field: the usual one for a known name, otherwise by the given type or the name. */
export function newField(words: string, type: string | null): FieldSchema {
  const name = propertyNameFor(words);
  const known = Object.values(fieldsOfKind).find((fields) => fields[name])?.[name];
  if (known && type === null) return known;
  const folded = wordsOf(words);
  const typeName = type?.toLowerCase();
  const description = folded[0]?.toUpperCase() + folded.slice(1);
  if (typeName === 'boolean' || typeName === 'yes/no' || (typeName === undefined && yesNoName.test(folded)))
    return { type: ['boolean', 'null'], description };
  if (typeName === 'integer') return { type: ['integer', 'null'], description };
  const concept = describeField([name], { type: ['number', 'null'] }).concept;
  if (
    typeName === 'number' ||
    typeName === 'amount' ||
    (typeName === undefined && (concept?.kind === 'amount' || numericName.test(folded)))
  )
    return { type: ['number', 'null'], description };
  const isDate =
    typeName === 'date' ||
    (typeName === undefined && describeField([name], { type: ['string', 'null'] }).kind === 'date');
  return { type: ['string', 'null'], description: isDate ? `${description}, ISO 8601 (YYYY-MM-DD)` : description };
}
