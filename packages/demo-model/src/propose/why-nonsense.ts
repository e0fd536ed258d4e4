import { hasPostalPlace } from '../fill/parties/name-forms.ts';
import type { JsonSchema } from '../fill/schema/json-schema.ts';
import { isStreet } from '../values/streets.ts';

/** Streets and places as maps and addresses write them, without a number. Languages: en, de, fr, it, es. */
const streetName =
  /\p{L}[\s-]*(?<!\p{L})(?:streets?|st\.|roads?|rd\.?|avenue|ave\.?|lanes?|drive|boulevard|blvd\.?|throughway|highway|parkway|square|crescent|terrace)$|\p{L}{3}(?:stra(?:ß|ss)e|weg|platz|gasse|allee|ufer|damm)$|^(?:rue|avenue|boulevard|place|quai|chemin|impasse|via|viale|piazza|corso|vicolo|calle|avenida|plaza|paseo) (?:\p{L}+[\s'’])*\p{Lu}\p{L}+$/iu;
const sentence = /\p{L}+(?:[\s,;]+\S+){3,}[.?!]["”»]?$/u;
const maxLabelWords = 5;

/** Whether a text that stands where captions do is a value: an address, or a piece of running text. */
export function isValueAsLabel(label: string): boolean {
  const text = label.trim();
  if (streetName.test(text) || isStreet(text) || hasPostalPlace(text)) return true;
  return text.split(/\s+/u).length > maxLabelWords || /[.!?]["”»]$|["“”«»]/u.test(text);
}

/** Whether a value beside a label is running text: what a character of a play says is no field. */
export function isSentence(value: string): boolean {
  return sentence.test(value.trim());
}

/** A title and a day stand on nearly every page: alone they are no schema of a kind of documents. */
const onEveryPage = new Set(['title', 'date']);
const maxNamed = 3;

const cure =
  'Tell me which fields you want, for example “create a schema with the fields title, date and author”, or use a prompt that you have.';

/**
 * Why a schema of a document would be nonsense, with what to do instead; undefined where it is sensible. It is nonsense where
 * nothing was found, or where what stands in the places of captions are values, and only a title and a day are left without them.
 *
 * @example whyNonsense(proposeSchema(map)) // 'What stands where captions would … “Washington Throughway” … Tell me which fields you want …'
 */
export function whyNonsense({
  schema,
  leftOut,
}: {
  schema: JsonSchema;
  leftOut: readonly string[];
}): string | undefined {
  const names = Object.keys(schema.properties ?? {});
  if (leftOut.length > 0 && names.every((name) => onEveryPage.has(name))) {
    const named = [...new Set(leftOut)].slice(0, maxNamed).map((text) => `“${text.trim()}”`);
    return `What stands where captions would is an address or running text (${named.join(', ')}), so that a schema of it would fit no other document. ${cure}`;
  }
  if (names.length === 0)
    return `I can read text on the pages but recognise no fields in it: no labels with values, no table. ${cure}`;
  return undefined;
}
