import { remembering, wordsOf } from '../../page/fold.ts';

const shortForms: Readonly<Record<string, string>> = {
  ssn: 'social security number',
  ein: 'employer identification number',
  dob: 'date of birth',
  no: 'number',
  nr: 'number',
  num: 'number',
  id: 'identification',
  qty: 'quantity',
  amt: 'amount',
  tel: 'phone',
  telephone: 'phone',
  addr: 'address',
  zip: 'postal',
  pct: 'percent',
  dept: 'department',
  div: 'division',
  org: 'organization',
  info: 'information',
};

const fillers = new Set([
  'of',
  'the',
  'a',
  'an',
  'and',
  'or',
  'for',
  'to',
  'in',
  'on',
  's',
  'is',
  'de',
  'des',
  'la',
  'le',
  'der',
  'die',
  'das',
  'di',
  'el',
  'please',
  'print',
  'enter',
  'your',
]);

const stemsOf = remembering((text): { all: readonly string[]; distinct: ReadonlySet<string> } => {
  const words = wordsOf(text)
    .split(' ')
    .flatMap((word) => (shortForms[word] ?? word).split(' '))
    .filter((word) => word !== '' && !/^\d$/u.test(word));
  const telling = words.filter((word) => !fillers.has(word));
  // `To` is the whole name of a field on letters and faxes.
  const all = (telling.length > 0 ? telling : words).map((word) =>
    word.length > 4 ? word.replace(/(?:ies|es|s|y|ed|ing)$/u, '') : word,
  );
  return { all, distinct: new Set(all) };
});

/** The share of equal words in two names, from 0 to 1. The order of words does not matter, and abbreviations are expanded. */
export function wordSimilarity(a: string, b: string): number {
  const left = stemsOf(a).distinct;
  const right = stemsOf(b).distinct;
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared += 1;
  return (2 * shared) / (left.size + right.size);
}

/** Whether a text contains each word of a name of two or more words: `Employer’s name and address` contains `employer name`. */
export function containsAllWords(text: string, name: string): boolean {
  const { all } = stemsOf(name);
  const found = stemsOf(text).distinct;
  return all.length >= 2 && all.every((word) => found.has(word));
}

const generalWords = new Set(
  ['amount', 'number', 'total', 'code', 'identification'].flatMap((word) => stemsOf(word).all),
);

/** Whether a caption names only a kind of value, such as `Number` or `Total amount`. */
export function isGenericCaption(text: string): boolean {
  return stemsOf(text).all.every((word) => generalWords.has(word));
}
