import { hasPostalPlace } from '../fill/parties/name-forms.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import { isStreet } from '../values/streets.ts';

/** Names of streets and places in maps and addresses, without a number. Languages: en, de, fr, it, es. */
const streetName =
  /\p{L}[\s-]*(?<!\p{L})(?:streets?|st\.|roads?|rd\.?|avenue|ave\.?|lanes?|drive|boulevard|blvd\.?|throughway|highway|parkway|square|crescent|terrace)$|\p{L}{3}(?:stra(?:ß|ss)e|weg|platz|gasse|allee|ufer|damm)$|^(?:rue|avenue|boulevard|place|quai|chemin|impasse|via|viale|piazza|corso|vicolo|calle|avenida|plaza|paseo) (?:\p{L}+[\s'’])*\p{Lu}\p{L}+$/iu;
const sentence = /\p{L}+(?:[\s,;]+\S+){3,}[.?!]["”»]?$/u;
const maxLabelWords = 5;

/** Whether a text in the place of a caption is not one: an address, or a part of running text. */
export function isValueAsLabel(label: string): boolean {
  const text = label.trim();
  if (streetName.test(text) || isStreet(text) || hasPostalPlace(text)) return true;
  return text.split(/\s+/u).length > maxLabelWords || /[.!?]["”»]$|["“”«»]/u.test(text);
}

/** Whether a value beside a label is running text, such as the lines of a character in a play. */
export function isSentence(value: string): boolean {
  return sentence.test(value.trim());
}

/** Nearly every page has a title and a date. Alone they are no schema for a kind of documents. */
const onEveryPage = new Set(['title', 'date']);
const maxExamples = 3;
/** With fewer fields of its own a schema says nothing about a kind that is unclear. */
const minOwnFields = 3;

const advice =
  'Tell me which fields you want, for example “create a schema with the fields title, date and author”, or use a prompt that you have.';

/**
 * Why a schema for a document would make no sense, with advice; undefined when it makes sense. It makes no sense when no
 * fields were found, or when the texts in the places of captions are values and only a title and a date are left.
 *
 * @example whyNonsense(proposeSchema(map)) // 'Where captions usually are, … “Washington Throughway” … Tell me which fields you want …'
 */
export function whyNonsense({
  schema,
  leftOut,
  isForUnknownKind = false,
}: {
  schema: FieldSchema;
  leftOut: readonly string[];
  /** Whether it is to fit other documents of a kind that is unclear. */
  isForUnknownKind?: boolean;
}): string | undefined {
  const names = Object.keys(schema.properties ?? {});
  const own = names.filter((name) => !onEveryPage.has(name));
  const hasTable = own.some((name) => schema.properties?.[name]?.type === 'array');
  if (isForUnknownKind && names.length > 0 && own.length < minOwnFields && !hasTable)
    return `I do not know this kind of document, and its pages have too few captions with values for a schema that would fit others. ${advice}`;
  if (leftOut.length > 0 && names.every((name) => onEveryPage.has(name))) {
    const examples = [...new Set(leftOut)].slice(0, maxExamples).map((text) => `“${text.trim()}”`);
    return `Where captions usually are, this document has addresses or running text (${examples.join(', ')}). A schema made from them would fit no other document. ${advice}`;
  }
  if (names.length === 0)
    return `I can read text on the pages but recognize no fields in it: no labels with values, no table. ${advice}`;
  return undefined;
}
