import type { DescribedField } from './described-field.ts';
import { meantWords, wordsIn, type Meaning } from './field-words.ts';

/** What a text beside or above a value says about it. */
export interface Label {
  words: readonly string[];
  meanings: ReadonlySet<Meaning>;
}

/** A label has few words: of a longer text the last ones, beside the value, are read. */
const maxLabelWords = 6;

/** The paper itself: `Date` is the date of an invoice, and `No.` its number. */
const paper: ReadonlySet<Meaning> = new Set(['invoice', 'receipt', 'document']);

/** Meanings that set one value apart from another of its form. */
const telling: ReadonlySet<Meaning> = new Set<Meaning>([
  ...'net tax discount change cash tip rounding quantity weight'.split(' '),
  ...'due delivery order birth start end period'.split(' '),
  ...'customer buyer issuer phone bank iban bic contract member patient employee employer'.split(' '),
] as Meaning[]);

/** Amounts that are often the same: those to pay. */
const toPay: ReadonlySet<Meaning> = new Set(['total', 'due', 'balance', 'paid', 'cash']);

/** Reads a text as a label. A total with its tax is a total. */
export function readLabel(text: string): Label {
  const words = wordsIn(text).slice(-maxLabelWords);
  const meanings = new Set(meantWords(words).flatMap((each) => each.meanings));
  if (words.some((word) => /^(?:in[ck]l|includ|inclus|ttc|iva inclu)/u.test(word))) meanings.delete('tax');
  if (meanings.has('net') && words.some((word) => /^(?:ex[ck]l|before|vor|ohne|hors|senza|sin|zonder)/u.test(word)))
    meanings.delete('tax');
  // “Net à payer” is what is due.
  if (meanings.has('due')) meanings.delete('net');
  return { words, meanings };
}

/** Whether a label is that of a field, in the same words or in others with the same meaning. */
export function isLabelOf(label: Label, field: DescribedField): boolean {
  const topics = topicsOf(field);
  if (!hasTopicsOf(label, field) || !field.words.every((word) => label.words.includes(word))) return false;
  if (otherMeanings(label, field).length > 0) return false;
  if (topics.length + field.words.length > 0) return true;
  return [...field.meanings].some((meaning) => label.meanings.has(meaning));
}

/** What the label of a field has to mean: `Date` is the date of an invoice. */
function topicsOf({ topics }: DescribedField): DescribedField['topics'] {
  return topics.filter((any) => !any.every((meaning) => paper.has(meaning)));
}

/** Whether one of the meanings of a label is that of a field. */
export function hasTopicsOf({ meanings }: Label, field: DescribedField): boolean {
  return topicsOf(field).every((any) => any.some((meaning) => meanings.has(meaning)));
}

/** The meanings of a label that its field does not have. */
export function otherMeanings({ meanings }: Label, field: DescribedField): Meaning[] {
  const isToPay = field.form === 'amount' && [...field.meanings].some((meaning) => toPay.has(meaning));
  return [...meanings].filter(
    (meaning) => telling.has(meaning) && !field.meanings.has(meaning) && !(isToPay && toPay.has(meaning)),
  );
}
