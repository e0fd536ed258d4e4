import type { Evidence } from './evidence.ts';
import { fold } from './fold.ts';
import { textsOf } from './values.ts';

const word = (phrases: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${phrases})(?![\\p{L}])`, 'u');

const mean = word(
  'averages?|averaged|on average|mean|median|typical(?:ly)?|durchschnitt\\p{L}*|im schnitt|im mittel|mittelwert|moyennes?|moyens?|promedio|media|medio|gemiddeld\\p{L}*|in media|em media|medias?',
);
const total = word(
  'totals?|totalling|altogether|in all|sum|together|insgesamt|zusammen|summe|gesamt\\p{L}*|somme|ensemble|en tout|suma|juntas|totaal|totale',
);
const most = word(
  'largest|highest|biggest|greatest|most expensive|dearest|maximum|grosste\\p{L}*|hochste\\p{L}*|teuerste\\p{L}*|plus (?:grande?|elevee?|chere?|haute?|grosse?)s?|mas (?:alt|grand|elevad|car)\\p{L}*|mayor|maxim[oa]|hoogste|grootste|piu alt[oa]|maior',
);
const least = word(
  '(?<!at )least expensive|smallest|lowest|cheapest|minimum|kleinste\\p{L}*|niedrigste\\p{L}*|gunstigste\\p{L}*|billigste\\p{L}*|geringste\\p{L}*|plus (?:petite?|basse?|faible)s?|moins (?:elevee?|chere?)s?|mas (?:baj|pequen|barat)\\p{L}*|menor|minim[oa]|laagste|kleinste|piu bass[oa]',
);

/** A number of a sentence with the cited ids that hold it. */
interface Held {
  text: string;
  holders: readonly Evidence[];
}

/** The first number that is told as another kind of value than it is: a sum as an average, the largest as the smallest. */
export function wronglyNamed(sentence: string, facts: readonly Held[]): Held | undefined {
  const text = fold(sentence);
  const [saysMean, saysMost, saysLeast] = [mean, most, least].map((pattern) => pattern.test(text));
  const isOf = (op: string) => (held: Held) =>
    held.holders.length > 0 && held.holders.every((each) => each.kind === 'aggregate' && each.op === op);
  const hasMean = facts.some(({ holders }) => holders.some((each) => each.kind !== 'aggregate' || each.op === 'avg'));
  return facts.find((held) => {
    if (isOf('max')(held)) return saysLeast && !saysMost;
    if (isOf('min')(held)) return saysMost && !saysLeast;
    if (isOf('avg')(held)) return !saysMean && (saysMost || saysLeast || total.test(text));
    return isOf('sum')(held) && saysMean && !hasMean;
  });
}

const periods: readonly (readonly [string, RegExp])[] = [
  [
    'hour',
    word('(?:per|an|each) hour|hourly|(?:pro|je|die) stunde|stundlich\\p{L}*|(?:par|de l.)heure|(?:por|la) hora'),
  ],
  [
    'day',
    word(
      '(?:per|a|each) day|daily|(?:pro|je|am) tag|taglich\\p{L}*|par jour|journali\\p{L}*|(?:por|al) dia|diari[oa]s?',
    ),
  ],
  [
    'week',
    word(
      '(?:per|a|each) week|weekly|(?:pro|je|die) woche|wochentlich\\p{L}*|par semaine|hebdomadaires?|(?:por|a la) semana|semanal(?:es)?',
    ),
  ],
  [
    'month',
    word(
      '(?:per|a|each) month|monthly|(?:pro|je|im) monat|monatlich\\p{L}*|par mois|mensuel(?:le)?s?|(?:por|al) mes|mensual(?:es)?',
    ),
  ],
  [
    'quarter',
    word(
      '(?:per|a|each) quarter|quarterly|(?:pro|je|im) quartal|vierteljahrlich\\p{L}*|par trimestre|trimestriel(?:le)?s?|trimestral(?:es)?',
    ),
  ],
  [
    'year',
    word(
      '(?:per|a|each) year|per annum|yearly|annual(?:ly)?|(?:pro|je|im) jahr|jahrlich\\p{L}*|par an|annuel(?:le)?s?|(?:por|al) ano|anual(?:es)?',
    ),
  ],
];
const periodsIn = (text: string): Set<string> => {
  const folded = fold(text);
  return new Set(periods.flatMap(([name, pattern]) => (pattern.test(folded) ? [name] : [])));
};

/** What a cited value is paid for: the period that its field or its passage names. */
function periodsOf(evidence: Evidence): Set<string> {
  if (evidence.kind === 'passage') return periodsIn(textsOf(evidence).join(' '));
  return evidence.kind === 'calculation' ? new Set() : periodsIn(evidence.path.replaceAll(/[_.-]+/gu, ' '));
}

/** The first number that a sentence tells for another period than what is cited: a monthly fee as a yearly one. */
export function wronglyTimed(sentence: string, facts: readonly Held[]): Held | undefined {
  const stated = periodsIn(sentence);
  if (stated.size === 0) return undefined;
  return facts.find(
    ({ holders }) =>
      holders.length > 0 &&
      holders.every((evidence) => {
        const own = periodsOf(evidence);
        return own.size > 0 && [...stated].every((period) => !own.has(period));
      }),
  );
}
