import type { PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** How a number is written: `19 %`, `19.00` or `€ 19`, `19`. */
type NumberForm = 'percent' | 'amount' | 'plain';

const rateNames =
  /(?:^|[^a-z])(?:rate|percent|percentage|pct|share|satz|prozent|taux)(?:[^a-z]|$)|(?:steuer|zins|mwst|ust)satz/u;
const amountNames =
  /(?:^|[^a-z])(?:amount|total|subtotal|sum|price|cost|net|gross|tax|vat|gst|balance|fee|due|paid|debit|credit|betrag|summe|preis|netto|brutto|steuer|montant|prix|importe|precio|importo|bedrag)s?(?:[^a-z]|$)/u;
const otherNames = /(?:^|[^a-z])(?:number|no|count|quantity|qty|days|code|id|date|year)(?:[^a-z]|$)/u;

/** The form that a number has by the name of its field; undefined if the name does not say it. */
export function formByName(name: string): NumberForm | undefined {
  const words = name.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
  if (rateNames.test(words)) return 'percent';
  if (otherNames.test(words)) return 'plain';
  return amountNames.test(words) ? 'amount' : undefined;
}

/** How the number at a place is written. */
export function formAt(index: PageIndex, { words }: Place): NumberForm {
  if (isPercent(index, words)) return 'percent';
  const text = words.map((word) => index.words[word]!.word.text).join(' ');
  return /\d[.,]\d{2}(?!\d)|\p{Sc}/u.test(text) ? 'amount' : 'plain';
}

/** Whether a sign of percent is in the last of these words or begins the next one. */
export function isPercent(index: PageIndex, words: readonly number[]): boolean {
  const last = words.at(-1)!;
  const { word, line } = index.words[last]!;
  const next = index.words[last + 1];
  return word.text.includes('%') || (next?.line === line && next.word.text.startsWith('%'));
}
