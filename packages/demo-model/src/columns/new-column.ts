import type { FieldSchema } from '../fill/schema/json-schema.ts';
import { wordsOf } from '../page/fold.ts';
import type { ProposedKind } from '../propose/document-kind.ts';
import { fieldsOfKind } from '../propose/kind-fields.ts';
import { newField } from '../propose/new-field.ts';
import type { Call } from '../protocol/answer.ts';

const moneyName =
  /(?:^| )(?:totals?|subtotal|amounts?|prices?|costs?|sum|tax|vat|fees?|balance|net|gross|tip|cash|change|discount|betrag|summe|preis|montant|prix)(?: |$)/u;

/** Abbreviations that are capitals in column names. */
const abbreviations = /\b(?:id|iban|po|vat)\b/giu;

/** Common names of the types of columns. */
const typeNames: readonly [RegExp, string][] = [
  [/^(?:currency|money|amounts?|prices?|monetary)/iu, 'currency'],
  [/^(?:number|numeric|integer|decimal|float|count)/iu, 'number'],
  [/^(?:date|day)/iu, 'date'],
  [/^(?:boolean|bool|yes\/no|yes or no|true\/false|flag|checkbox)/iu, 'boolean'],
  [/^(?:text|string|words?|letters)/iu, 'text'],
];

/** The column type that words such as `yes/no` name; undefined for other words. */
export function columnTypeIn(words: string): string | undefined {
  return typeNames.find(([pattern]) => pattern.test(words.trim()))?.[1];
}

/** A call that adds a column. Without a type from the user, the type follows from the name. */
export function columnCall(name: string, typeName: string | null): Call {
  const type = typeName === null ? undefined : columnTypeIn(typeName);
  return callForField(sentenceCase(name), newField(name, null), type);
}

/** Calls that add the usual columns of a kind of document, without its tables: a column has one value. */
export function columnsOfKind(kind: ProposedKind): Call[] {
  return columnsOfFields(fieldsOfKind[kind] ?? {});
}

/** Calls that add a column for each field with one value. */
export function columnsOfFields(fields: Readonly<Record<string, FieldSchema>>): Call[] {
  return Object.entries(fields)
    .filter(([, field]) => !hasType(field, 'array') && !hasType(field, 'object'))
    .map(([property, field]) =>
      callForField(
        sentenceCase(wordsOf(property)).replaceAll(abbreviations, (word) => word.toUpperCase()),
        field,
      ),
    );
}

function callForField(name: string, field: FieldSchema, type = typeOf(name, field)): Call {
  const description = (field.description ?? '').replace(/, ISO 8601 \(YYYY-MM-DD\)$/u, '');
  return { name: 'add_column', arguments: { name, type, description } };
}

function typeOf(name: string, field: FieldSchema): string {
  if (hasType(field, 'boolean')) return 'boolean';
  if (hasType(field, 'number') || hasType(field, 'integer')) {
    return moneyName.test(wordsOf(name)) && !wordsOf(name).endsWith(' rate') ? 'currency' : 'number';
  }
  return /ISO 8601/u.test(field.description ?? '') ? 'date' : 'text';
}

function hasType({ type }: FieldSchema, wanted: string): boolean {
  return [type].flat().includes(wanted);
}

function sentenceCase(text: string): string {
  const name = text.replaceAll('.', '').trim();
  return (name[0] ?? '').toUpperCase() + name.slice(1);
}
