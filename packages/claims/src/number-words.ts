import type { TextLanguage } from '@docwright/language';
import { fold } from './fold.ts';

/** How a language writes numbers: those below twenty, the tens from twenty on, and both together. */
interface Numerals {
  small: string;
  tens: string;
  /** Joins the words for the ten and the one into those of a number between two tens. By default, side by side. */
  join?: (ten: string, one: string, value: number) => string;
  /** “one” inside of a longer number. */
  one: string;
  hundred: string;
}

const numerals: Readonly<Partial<Record<TextLanguage, Numerals>>> = {
  english: {
    small:
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
    one: 'one',
    hundred: 'one hundred|a hundred',
  },
  german: {
    small:
      'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
    one: 'ein',
    join: (ten, one) => `${one}und${ten}`,
    hundred: 'hundert|einhundert',
  },
  french: {
    small:
      'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
    tens: 'vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix',
    one: 'un',
    hundred: '',
  },
  spanish: {
    small:
      'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    one: 'uno',
    join: (ten, one, value) => (value < 30 ? `veinti${one}` : `${ten} y ${one}`),
    hundred: 'cien',
  },
  dutch: {
    small:
      'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    one: 'een',
    join: (ten, one) => `${one}${one.endsWith('e') ? 'ën' : 'en'}${ten}`,
    hundred: 'honderd',
  },
  italian: {
    small:
      'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
    tens: 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    one: 'uno',
    join: (ten, one) => `${/^[ou]/u.test(one) ? ten.slice(0, -1) : ten}${one}`,
    hundred: 'cento',
  },
  portuguese: {
    small:
      'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    one: 'um',
    join: (ten, one) => `${ten} e ${one}`,
    hundred: 'cem',
  },
};

/** Words for a group of so many; the third of a line says that it is about so many. */
const groups: readonly (readonly [number, string, 'about'?])[] = [
  [12, 'a dozen|one dozen|ein dutzend|einem dutzend|eines dutzends|une douzaine|una docena'],
  [24, 'two dozen|zwei dutzend|deux douzaines|dos docenas'],
  [36, 'three dozen|drei dutzend|trois douzaines|tres docenas'],
  [10, 'une dizaine|una decena', 'about'],
  [15, 'une quinzaine|una quincena', 'about'],
  [20, 'une vingtaine|una veintena', 'about'],
  [30, 'une trentaine|una treintena', 'about'],
  [40, 'une quarantaine', 'about'],
  [50, 'une cinquantaine|una cincuentena', 'about'],
  [100, 'une centaine|un centenar', 'about'],
];

interface Written {
  value: number;
  isAbout: boolean;
}

const plain = (phrase: string): string => fold(phrase).replaceAll('-', ' ');

/** Numbers of a language in words. “One” alone is an article in most languages, and states no count. */
function wordsIn({ small, tens, join = (ten, one) => `${ten} ${one}`, one, hundred }: Numerals): [string, number][] {
  const below = small.split(' ');
  const counts = below.flatMap((word, value): [string, number][] => (value === 1 ? [] : [[word, value]]));
  const above = tens.split(' ').flatMap((ten, at): [string, number][] => {
    const value = 20 + 10 * at;
    // French counts on to nineteen from sixty and eighty.
    const isFrench = /^(?:soixante|quatre)/u.test(ten);
    const start = isFrench ? ten.replace(/-dix$/u, '').replace(/s$/u, '') : ten;
    const rest = Array.from({ length: 9 }, (_, offset): [string, number] => {
      const digit = offset + 1;
      const word = ten.endsWith('-dix') ? below[10 + digit]! : digit === 1 ? one : below[digit]!;
      return [join(start, word, value), value + digit];
    });
    return [[ten, value], ...rest];
  });
  const french = above.flatMap(([word, value]): [string, number][] =>
    / (?:un|onze)$/u.test(word) ? [[word.replace(/ (?=un$|onze$)/u, ' et '), value]] : [],
  );
  const whole = hundred === '' ? [] : hundred.split('|').map((word): [string, number] => [word, 100]);
  return [...counts, ...above, ...french, ...whole];
}

const tables = new Map<TextLanguage, ReadonlyMap<string, Written>>();
const everyGroup = groups.flatMap(([value, phrases, about]) =>
  phrases.split('|').map((phrase): [string, Written] => [plain(phrase), { value, isAbout: about !== undefined }]),
);
for (const [language, numeral] of Object.entries(numerals)) {
  const words = wordsIn(numeral).map(([word, value]): [string, Written] => [plain(word), { value, isAbout: false }]);
  tables.set(language as TextLanguage, new Map([...words, ...everyGroup]));
}
const ofAll: ReadonlyMap<string, Written> = new Map([...tables.values()].flatMap((table) => [...table]));
const groupsAlone: ReadonlyMap<string, Written> = new Map(everyGroup);

const onlyOne =
  /(?<![\p{L}\p{N}-])(?:(?:only|exactly|just|nur|genau|exactement|solo|sólo|exactamente)\s+(?:one|eine?[rsnm]?|une?|una|uno)|un seul|une seule|ein(?:e|en)? einzige[nrs]?)(?![\p{L}\p{N}-])/giu;
/** “They sent one invoice each.” */
const oneEach =
  /(?<![\p{L}\p{N}-])(?:one(?=[^.;:!?]{0,60}\beach\b)|(?<=\bje(?:weils)? )eine?[nrms]?|une?(?=[^.;:!?]{0,60}\bchacune?\b)|un[oa]?(?=[^.;:!?]{0,60}\bcada un[oa]\b))(?![\p{L}\p{N}-])/giu;
const maxWords = 3;

/** Words that state a count, with their values: “three”, “twenty-one”, “a dozen”, “only one”. Without a language, of all. */
export function numberWordsOf(
  text: string,
  language: TextLanguage | undefined,
): (Written & { start: number; end: number })[] {
  const table = language === undefined ? ofAll : (tables.get(language) ?? groupsAlone);
  const words = [...text.matchAll(/(?<![\p{L}\p{N}-])\p{L}+(?:-\p{L}+)*(?![\p{L}\p{N}-])/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: plain(match[0]),
  }));
  const found: (Written & { start: number; end: number })[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let length = Math.min(maxWords, words.length - at); length > 0; length--) {
      const some = words.slice(at, at + length);
      const isJoined = some.every((word, index) => index === 0 || word.start === some[index - 1]!.end + 1);
      const written = isJoined ? table.get(some.map((word) => word.text).join(' ')) : undefined;
      if (written === undefined) continue;
      found.push({ ...written, start: some[0]!.start, end: some.at(-1)!.end });
      at += length - 1;
      break;
    }
  }
  const ones = [onlyOne, oneEach]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      value: 1,
      isAbout: false,
    }));
  return [...found, ...ones];
}

/** Multiples and parts: “twice as much”, “half of the invoices”. A part can be cited as a share or in percent. */
const multiples: readonly (readonly [number, string])[] = [
  [2, 'twice as|twice the|double the|doppelt so|das doppelte|le double|deux fois plus|el doble|dos veces'],
  [
    3,
    'three times as|three times the|triple the|dreimal so|das dreifache|le triple|trois fois plus|el triple|tres veces',
  ],
  [4, 'four times as|four times the|viermal so|das vierfache|quatre fois plus|cuatro veces'],
  [5, 'five times as|five times the|fünfmal so|das fünffache|cinq fois plus|cinco veces'],
  [1 / 2, 'half of the|half the|halb so|die hälfte|der hälfte|la moitié|la mitad'],
  [1 / 3, 'a third of|one third of|ein drittel|un tiers|un tercio'],
  [2 / 3, 'two thirds of|zwei drittel|deux tiers|dos tercios'],
  [1 / 4, 'a quarter of|one quarter of|ein viertel|un quart|una cuarta parte'],
  [3 / 4, 'three quarters of|drei viertel|trois quarts|tres cuartas partes'],
];
const multiplePatterns = multiples.map(
  ([value, phrases]) => [value, new RegExp(`(?<![\\p{L}])(?:${phrases})(?![\\p{L}])`, 'giu')] as const,
);

/** Words that state how many times, or which part. */
export function multiplesOf(
  text: string,
): { start: number; end: number; readings: { value: number; tolerance: number }[] }[] {
  return multiplePatterns.flatMap(([value, pattern]) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      readings: [{ value, tolerance: 0.005 }, ...(value < 1 ? [{ value: 100 * value, tolerance: 0.5 }] : [])],
    })),
  );
}
