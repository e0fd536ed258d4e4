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

/** The first number that a sentence calls another kind of value: a sum an average, the largest the smallest. */
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

/** The first number that a sentence states for another period than its citation: a monthly fee as a yearly one. */
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

/** The purpose of a value, by the words of its field and by those of a sentence. Dates are distinguished. */
const roles: readonly (readonly ['date' | 'amount', RegExp, RegExp])[] = [
  [
    'date',
    word('due|payable|fallig\\p{L}*|faelligkeit|echeance|vencimiento'),
    word('due|fallig\\p{L}*|echeance|vencimiento'),
  ],
  [
    'date',
    word('issued?|invoice date|rechnungsdatum|belegdatum'),
    word('issued|dated|ausgestellt|datiert|emise?|emitid[oa]'),
  ],
  [
    'date',
    word('starts?|begins?|beginn|debut|inicio'),
    word('begins?|began|starts?|started|commences|beginnt|begann|debute|commence|empieza|comienza'),
  ],
  [
    'date',
    word('ends?|expir\\p{L}*|ende|ablauf|fin'),
    word('ends?|ended|expires?|endet|endete|prend fin|termine|termina'),
  ],
  [
    'amount',
    word('vat|tax|mwst|ust|mehrwertsteuer|umsatzsteuer|steuer|tva|iva'),
    word('vat|mehrwertsteuer|umsatzsteuer|mwst|tva|iva'),
  ],
  [
    'amount',
    word('discount|rebate|rabatt|skonto|nachlass|remise|descuento'),
    word('discount|rebate|rabatt|skonto|preisnachlass|remise|rabais|descuento'),
  ],
  [
    'amount',
    word('refund|credit|gutschrift|erstattung|avoir|reembolso'),
    word('refund(?:ed)?|credit note|gutschrift|erstattet|rembourse\\p{L}*|reembols\\p{L}*'),
  ],
];
/** “Including VAT” says nothing of what the number is. */
const aside = word(
  '(?:including|incl|excluding|excl|plus|before|after|without|net of|inklusive|inkl|einschliesslich|zuzuglich|zzgl|ohne|vor|nach|avec|sans|hors|con|sin|mas|incluido|incluyendo)\\.?(?: the| der| la| el| \\d[\\d.,]* ?%)? (?:vat|mehrwertsteuer|umsatzsteuer|mwst|tva|iva|discount|rabatt|skonto|remise|descuento)',
);

/** The first number or date that a sentence calls by the name of another field: the day of the invoice as the day it is due. */
export function wronglyCalled<Fact extends Held & { kind: string; isPercent?: boolean }>(
  facts: readonly Fact[],
  clauseOf: (fact: Fact) => string,
): Fact | undefined {
  return facts.find((fact) => {
    const clause = fold(clauseOf(fact)).replace(aside, ' ');
    const stated = roles.filter(
      ([kind, , words]) => (kind === 'date') === (fact.kind === 'date') && words.test(clause),
    );
    return (
      stated.length > 0 &&
      fact.holders.length > 0 &&
      fact.holders.every((evidence) => {
        if (evidence.kind !== 'cell') return false;
        const field = fold(evidence.path.replaceAll(/([a-z])([A-Z])/gu, '$1 $2').replaceAll(/[_.-]+/gu, ' '));
        const own = roles.filter(([, name]) => name.test(field));
        // A field whose name says nothing of the kind can hold any date or rate.
        const isOpen = fact.kind === 'date' || fact.isPercent === true;
        if (isOpen && own.length === 0) return false;
        return stated.every((role) => !own.includes(role));
      })
    );
  });
}
