import { wordsOf } from '../../page/fold.ts';

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

function stems(text: string): string[] {
  return wordsOf(text)
    .split(' ')
    .flatMap((word) => (shortForms[word] ?? word).split(' '))
    .filter((word) => word !== '' && !fillers.has(word) && !/^\d$/u.test(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ies|es|s|y|ed|ing)$/u, '') : word));
}

/** The share of equal words in two names, from 0 to 1. The order of words does not matter, and abbreviations are expanded. */
export function wordSimilarity(a: string, b: string): number {
  const left = stems(a);
  const right = new Set(stems(b));
  if (left.length === 0 || right.size === 0) return 0;
  const shared = new Set(left.filter((word) => right.has(word))).size;
  return (2 * shared) / (new Set(left).size + right.size);
}

/** Whether a text contains each word of a name of two or more words: `Employer’s name and address` contains `employer name`. */
export function containsAllWords(text: string, name: string): boolean {
  const words = stems(name);
  const found = new Set(stems(text));
  return words.length >= 2 && words.every((word) => found.has(word));
}

const generalWords = new Set(['amount', 'number', 'total', 'code', 'identification'].flatMap(stems));

/** Whether a caption names only a kind of value, such as `Number` or `Total amount`. */
export function isGenericCaption(text: string): boolean {
  return stems(text).every((word) => generalWords.has(word));
}
