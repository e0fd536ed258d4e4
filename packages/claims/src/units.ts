import { fold } from './fold.ts';

const currencyWords: Readonly<Record<string, readonly string[]>> = {
  EUR: ['€', 'eur', 'euro', 'euros'],
  USD: ['$', 'usd', 'us$', 'dollar', 'dollars', 'dolares', 'us-dollar', 'dollar us'],
  GBP: ['£', 'gbp', 'pound', 'pounds', 'pfund', 'livres', 'libras', 'sterling'],
  CHF: ['chf', 'sfr', 'fr.', 'franken', 'francs', 'francos'],
  JPY: ['¥', 'jpy', 'yen'],
  CNY: ['¥', 'cny', 'rmb', 'yuan'],
  SEK: ['kr', 'sek', 'kronor'],
  NOK: ['kr', 'nok', 'kroner'],
  DKK: ['kr', 'dkk', 'kroner'],
  PLN: ['zł', 'pln', 'zloty', 'zl'],
  CZK: ['kč', 'czk', 'kc'],
  HUF: ['ft', 'huf', 'forint'],
  INR: ['₹', 'inr', 'rupees'],
  CAD: ['$', 'cad', 'c$'],
  AUD: ['$', 'aud', 'a$'],
  MXN: ['$', 'mxn'],
  BRL: ['r$', 'brl', 'reais'],
  TRY: ['₺', 'try', 'lira'],
  RON: ['ron', 'lei'],
  RUB: ['₽', 'rub'],
};

const byCurrencyWord = new Map<string, string[]>();
for (const [code, words] of Object.entries(currencyWords)) {
  for (const word of words) byCurrencyWord.set(word, [...(byCurrencyWord.get(word) ?? []), code]);
}

/** The currencies that a sign or word can mean; undefined if it is none. */
export const currenciesOfWord = (word: string): readonly string[] | undefined =>
  byCurrencyWord.get(word.toLowerCase()) ?? byCurrencyWord.get(fold(word));

/** A unit as a multiple of a base unit, so that twelve months are a year. */
export interface Unit {
  base: string;
  factor: number;
}

const units: readonly (readonly [string, number, string])[] = [
  ['day', 1, 'day days tag tage tagen tages jour jours dia dias dag dagen giorno giorni'],
  ['day', 7, 'week weeks woche wochen semaine semaines semana semanas settimana settimane weken'],
  ['month', 1, 'month months monat monate monaten monats mois mes meses mese mesi maand maanden'],
  ['month', 3, 'quarters quartale quartalen trimestres'],
  ['month', 12, 'year years jahr jahre jahren an ans annee annees ano anos anno anni jaar'],
  ['hour', 1, 'hour hours stunde stunden heure heures hora horas'],
  ['minute', 1, 'minute minutes minuten minutos'],
  ['gram', 1000, 'kg kilo kilos kilogram kilograms kilogramm'],
  ['gram', 1, 'g gram grams gramm'],
  ['gram', 1_000_000, 't tonne tonnes tonnen toneladas tons'],
  ['metre', 1000, 'km kilometres kilometer'],
  ['metre', 1, 'metre metres meter metern metros'],
  ['litre', 1, 'litre litres liter litern litros'],
  ['kwh', 1, 'kwh'],
];
const byUnitWord = new Map(
  units.flatMap(([base, factor, words]) => words.split(' ').map((word) => [word, { base, factor }] as const)),
);

/** The unit that a word means; undefined if it means none. */
export const unitOfWord = (word: string): Unit | undefined => byUnitWord.get(fold(word));

const percentWords = /^(?:%|percent|per cent|prozent|pour ?cent|por ciento|pct|per ?cento|procent)/iu;
/** The length of a word for “percent” at the start of a text, 0 without one. */
export const percentLength = (text: string): number => percentWords.exec(text)?.[0].length ?? 0;

const scales = new Map(
  (
    [
      [12, 'dozen dozens dutzend douzaine douzaines docena docenas dozijn'],
      [1e2, 'hundred hundreds hundert'],
      [1e3, 'thousand k tausend tsd mil mille duizend'],
      [1e6, 'million millions mio millionen millones millón millon mn'],
      [1e9, 'billion billions milliarde milliarden mrd milliard milliards bn'],
      [1e12, 'trillion trillions'],
      [1e5, 'lakh lakhs'],
      [1e7, 'crore crores'],
    ] as const
  ).flatMap(([factor, words]) => words.split(' ').map((word) => [word, factor] as const)),
);

/** The factor of a word like “million”; undefined if it is none. */
export const scaleOfWord = (word: string): number | undefined => scales.get(word.toLowerCase());
