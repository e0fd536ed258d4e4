import { fold } from './fold.ts';

/** A day, month, quarter or year. A missing part is not stated. */
export interface PartialDate {
  year?: number | undefined;
  quarter?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

/** A date in a text; more than one reading if day and month can be exchanged. */
export interface FoundDate {
  start: number;
  end: number;
  readings: PartialDate[];
}

const monthNames = [
  'january jan januar janvier janv enero ene gennaio gen januari janeiro',
  'february feb februar fevrier fevr febrero febbraio februari fevereiro',
  'march mar marz mrz mars marzo maart marco',
  'april apr avril avr abril abr aprile',
  'may mai mayo maggio mei maio',
  'june jun juni juin junio giugno junho',
  'july jul juli juillet juil julio luglio julho',
  'august aug aout agosto ago augustus',
  'september sep sept septembre septiembre settembre setembro',
  'october oct oktober okt octobre octubre ottobre outubro',
  'november nov novembre noviembre novembro',
  'december dec dezember dez decembre diciembre dic dicembre dezembro',
];
const monthByName = new Map(monthNames.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)));
const monthOf = (word: string | undefined): number | undefined =>
  word === undefined ? undefined : monthByName.get(fold(word));

const quarterByWord = new Map(
  (
    [
      '1 first erste ersten erstes premier primer 1st 1er',
      '2 second zweite zweiten zweites deuxieme segundo 2nd 2e 2eme',
      '3 third dritte dritten drittes troisieme tercer 3rd 3e 3eme',
      '4 fourth vierte vierten viertes quatrieme cuarto 4th 4e 4eme last',
    ] as const
  ).flatMap((words, at) => words.split(' ').map((word) => [word, at + 1] as const)),
);

type Reader = (groups: (string | undefined)[]) => PartialDate[] | undefined;
const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const fullYear = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : text.length === 2 ? 2000 + Number(text) : Number(text);
const isDay = ({ month = 1, day = 1 }: PartialDate): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;
const valid = (...readings: PartialDate[]): PartialDate[] | undefined => {
  const days = readings.filter(isDay);
  return days.length === 0 ? undefined : days;
};

const of = String.raw`(?:\s+(?:de|del|of|d'))?\s+`;
const readers: readonly (readonly [RegExp, Reader])[] = [
  [
    /(?<![\d.,])(\d{4})[-/](\d{2})[-/](\d{2})(?:T[\d:.]+Z?)?(?!\d)/gu,
    ([y, m, d]) => valid({ year: numberOf(y), month: numberOf(m), day: numberOf(d) }),
  ],
  [
    /(?<![\d.,])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?![\d])/gu,
    ([d, m, y]) => valid({ year: fullYear(y), month: numberOf(m), day: numberOf(d) }),
  ],
  [
    /(?<![\d.,])(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/gu,
    ([a, b, y]) =>
      valid(
        { year: numberOf(y), month: numberOf(b), day: numberOf(a) },
        { year: numberOf(y), month: numberOf(a), day: numberOf(b) },
      ),
  ],
  [
    new RegExp(
      String.raw`(?<![\d.,\p{L}])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?${of}(\p{L}{3,10})\.?(?:,?${of}(\d{4})|,\s*(\d{4}))?(?![\d\p{L}])`,
      'giu',
    ),
    ([d, name, y, z]) => named(name, { day: numberOf(d), year: numberOf(y ?? z) }),
  ],
  [
    /(?<!\p{L})(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?(?![\d\p{L}.,]*\d)/giu,
    ([name, d, y]) => named(name, { day: numberOf(d), year: numberOf(y) }),
  ],
  [
    new RegExp(String.raw`(?<!\p{L})(\p{L}{3,10})\.?,?${of}(\d{4})(?!\d)`, 'giu'),
    ([name, y]) => named(name, { year: numberOf(y) }),
  ],
  [/(?<![\d.,-])(\d{4})-(0[1-9]|1[0-2])(?![\d-])/gu, ([y, m]) => valid({ year: numberOf(y), month: numberOf(m) })],
  [
    /(?<![\p{L}\d])Q([1-4])(?:\s*[/-]?\s*(?:of\s+)?(\d{4}))?(?![\p{L}\d])/giu,
    ([q, y]) => [{ quarter: numberOf(q), year: numberOf(y) }],
  ],
  [/(?<!\d)(\d{4})[\s/-]*Q([1-4])(?!\d)/giu, ([y, q]) => [{ quarter: numberOf(q), year: numberOf(y) }]],
  [
    new RegExp(
      String.raw`(?<![\p{L}\d])(\p{L}{5,10}|[1-4](?:st|nd|rd|th|er|e|ème|\.)?)\s+(?:quarter|Quartals?|trimestre)(?:${of}(\d{4})|\s*/\s*(\d{4}))?(?![\p{L}\d])`,
      'giu',
    ),
    ([word, y, z]) => {
      const quarter = quarterByWord.get(fold(word ?? '').replace('.', ''));
      return quarter === undefined ? undefined : [{ quarter, year: numberOf(y ?? z) }];
    },
  ],
  [
    /(?<=(?:^|[^\p{L}])(?:in|im|during|before|after|since|until|by|from|for|vor|nach|seit|bis|ab|en|avant|après|depuis|pour|de|para|antes de|después de|desde|hasta)\s)(\p{L}{3,10})(?![\p{L}\d])/giu,
    ([name]) => named(name, {}),
  ],
];

function named(name: string | undefined, rest: PartialDate): PartialDate[] | undefined {
  const month = monthOf(name);
  return month === undefined ? undefined : valid({ ...rest, month });
}

/** The dates of a text, in order and without overlaps. A year alone is read as a number. */
export function datesOf(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  for (const [pattern, read] of readers) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].trimEnd().length];
      if (found.some((each) => start < each.end && each.start < end)) continue;
      const readings = read(match.slice(1));
      if (readings !== undefined) found.push({ start, end, readings });
    }
  }
  return found.toSorted((one, other) => one.start - other.start);
}

/** Whether a day of a value lies in the stated day, month, quarter or year. */
export function isWithin(value: PartialDate, stated: PartialDate): boolean {
  const same = (key: 'year' | 'month' | 'day') => stated[key] === undefined || stated[key] === value[key];
  const quarter = value.quarter ?? (value.month === undefined ? undefined : Math.ceil(value.month / 3));
  return same('year') && same('month') && same('day') && (stated.quarter === undefined || stated.quarter === quarter);
}

/** The first day of a stated period and the first day behind it, as numbers in order; undefined without a year. */
export function boundsOf({ year, quarter, month, day }: PartialDate): { first: number; next: number } | undefined {
  if (year === undefined) return undefined;
  const firstMonth = month ?? (quarter === undefined ? 1 : quarter * 3 - 2);
  const length = month === undefined ? (quarter === undefined ? 12 : 3) : 1;
  const first = Date.UTC(year, firstMonth - 1, day ?? 1);
  return { first, next: day === undefined ? Date.UTC(year, firstMonth - 1 + length, 1) : first + 86_400_000 };
}

const weekdays = [
  'sunday sonntag dimanche domingo zondag domenica',
  'monday montag lundi lunes maandag lunedi',
  'tuesday dienstag mardi martes dinsdag martedi',
  'wednesday mittwoch mercredi miercoles woensdag mercoledi',
  'thursday donnerstag jeudi jueves donderdag giovedi',
  'friday freitag vendredi viernes vrijdag venerdi',
  'saturday samstag sonnabend samedi sabado zaterdag sabato',
];
const weekdayByName = new Map(weekdays.flatMap((names, at) => names.split(' ').map((name) => [name, at] as const)));

/** The readings of a date that fall on the day of the week before it; all without one. */
export function fittingWeekday(
  text: string,
  { start, readings }: Pick<FoundDate, 'start' | 'readings'>,
): PartialDate[] {
  const name = /(\p{L}+)\.?,?\s+(?:the|den|dem|der|le|el|dia|día)?\s*$/iu.exec(text.slice(0, start))?.[1];
  const weekday = name === undefined ? undefined : weekdayByName.get(fold(name));
  if (weekday === undefined) return readings;
  return readings.filter(
    ({ year, month, day }) =>
      year === undefined ||
      month === undefined ||
      day === undefined ||
      new Date(Date.UTC(year, month - 1, day)).getUTCDay() === weekday,
  );
}
