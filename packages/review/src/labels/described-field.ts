import { kinds, meantWords, wordsIn, type Meaning } from './field-words.ts';
import type { Form } from './typed-values.ts';

/** A field as its label on a page can be found. */
export interface DescribedField {
  form: Form;
  /** What its label has to mean, without the kind of its value; any meaning of each inner list will do. */
  topics: readonly (readonly Meaning[])[];
  /** The words of its name without a known meaning, which its label has to have. */
  words: readonly string[];
  /** All meanings of its name. */
  meanings: ReadonlySet<Meaning>;
  /** Whether its name has only words that are also in other labels and in sentences. */
  isIdle: boolean;
}

interface FieldSchema {
  readonly type?: unknown;
  readonly format?: unknown;
}

/** Words that say nothing about a field. */
const idle = new Set('of the a an on in de la le der die das di del van is to for by at s'.split(' '));

/** Reads the meaning of a field from its name, and the form of its values from its type. */
export function describeField(name: string, schema: FieldSchema = {}): DescribedField {
  const every = meantWords(wordsIn(name)).filter(({ word }) => !/^\d$/u.test(word));
  const telling = every.filter(({ word }) => !idle.has(word));
  // `To` is the whole name of a field on letters.
  const all = telling.length > 0 ? telling : every;
  const words = all.map(({ word }) => word);
  const meanings = new Set(all.flatMap((each) => each.meanings));
  const topics = all
    .map((each) => each.meanings.filter((meaning) => !kinds.has(meaning)))
    .filter((each) => each.length > 0);
  const unknown = all.filter((each) => each.meanings.length === 0).map(({ word }) => word);
  const form = formOf(words, meanings, schema);
  return { form, topics, words: unknown, meanings, isIdle: telling.length === 0 };
}

function formOf(words: readonly string[], meanings: ReadonlySet<Meaning>, { type, format }: FieldSchema): Form {
  const types = [type].flat();
  if (types.includes('number')) return 'amount';
  if (types.includes('integer')) return 'identifier';
  if (format === 'date' || format === 'date-time' || meanings.has('date') || meanings.has('due')) return 'date';
  if (meanings.has('birth') && !meanings.has('city') && !words.includes('place')) return 'date';
  if (meanings.has('iban')) return 'iban';
  if (meanings.has('bic')) return 'bic';
  if (meanings.has('currency')) return 'currency';
  if (meanings.has('mail')) return 'mail';
  if (meanings.has('phone')) return 'phone';
  if (meanings.has('tax')) return 'tax_id';
  if (meanings.has('address')) return 'address';
  return meanings.has('number') || words.some((word) => /^(?:ssn|ein)$/u.test(word)) ? 'identifier' : 'text';
}
