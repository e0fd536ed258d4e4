import type { PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** How a number is written: `19 %`, `19.00` or `€ 19`, `19`. */
type NumberForm = 'percent' | 'amount' | 'plain';

const percentNames = /(?:^|[^a-z])(?:percent|percentage|pct|satz|prozent)(?:[^a-z]|$)|(?:steuer|zins|mwst|ust)satz/u;
/** What a rate or share is a percentage of. Other rates are prices or factors: an hourly rate, an exchange rate. */
const kinds =
  'tax|vat|gst|hst|pst|iva|tva|btw|mwst|ust|steuer|withholding|interest|zins|intérêt|interet|discount|rebate|rabatt|skonto|remise|commission|margin|markup|growth|ownership|market';
const percentRates = new RegExp(
  String.raw`(?:^|[^a-z])(?:(?:${kinds})[^a-z]+(?:rate|share|taux)|(?:(?:rate|share)[^a-z]+of|taux(?:[^a-z]+(?:de|du|d))?)[^a-z]+(?:${kinds}))s?(?:[^a-z]|$)`,
  'u',
);
const amountNames =
  /(?:^|[^a-z])(?:amount|total|subtotal|sum|price|cost|net|gross|tax|vat|gst|balance|fee|due|paid|debit|credit|netto|brutto|mwst|ust|moms|iva|tva|btw|taxe|imposta|impuesto|montant|prix|importe|precio|importo)s?(?:[^a-z]|$)/u;
/** Words that German, Dutch and Swedish write together with others: `Umsatzsteuer`, `Rechnungsbetrag`. */
const amountEnds = /(?:betrag|summe|preis|steuer|bedrag|prijs|belopp|summa)s?(?:[^a-z]|$)/u;
const otherNames = /(?:^|[^a-z])(?:number|no|count|quantity|qty|days|code|id|date|year)(?:[^a-z]|$)/u;

const bareValue = /^values?$/u;
const bareRate = /^(?:rate|share|taux)s?$/u;
const kindName = new RegExp(String.raw`(?:^|[^a-z])(?:${kinds})(?:e?s)?(?:[^a-z]|$)`, 'u');

/**
 * The form that a number has by the name of its field; undefined if the name does not say it. A rate or a value without further words
 * is one of what the object around it names: `taxes.0.rate`, `tax.value`.
 */
export function formByName(name: string, path: string = name): NumberForm | undefined {
  const words = wordsOf(name);
  const around = path.split('.').findLast((step) => step !== name && !/^\d+$/u.test(step)) ?? '';
  if (bareValue.test(words) && around !== '') return formByName(around);
  if (bareRate.test(words)) {
    return kindName.test(wordsOf(around)) ? 'percent' : undefined;
  }
  if (percentNames.test(words) || percentRates.test(words)) return 'percent';
  if (otherNames.test(words)) return 'plain';
  return amountNames.test(words) || amountEnds.test(words) ? 'amount' : undefined;
}

function wordsOf(name: string): string {
  return name.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
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
