import { fold } from '../page/fold.ts';

/** The order of day and month in a date such as `3/4/2021`. */
export type DayOrder = 'day_first' | 'month_first';

export interface WrittenDate {
  /** ISO 8601, `YYYY-MM-DD`. */
  iso: string;
  start: number;
  end: number;
  /** Whether day and month could be the other way round, as in `3/4/2021`. */
  isAmbiguous?: boolean;
}

/** Folded beginnings of month names, from January. Languages: en, de, fr, it, es, nl. */
const monthBeginnings: readonly RegExp[] = [
  /^(?:jan|gen|ene)/u,
  /^(?:feb|fev)/u,
  /^(?:mar(?!ch?esi)|mrz|maer|maa|mrt)/u,
  /^(?:apr|avr|abr)/u,
  /^(?:may|mai|mag|mei|mayo)/u,
  /^(?:jun|juin|giu)/u,
  /^(?:jul|juil|lug)/u,
  /^(?:aug|aou|ago)/u,
  /^(?:sep|set)/u,
  /^(?:oct|okt|ott)/u,
  /^(?:nov)/u,
  /^(?:dec|dez|dic)/u,
];

const isoDate = /(?<!\d)(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})(?!\d)/gu;
const numericDate = /(?<![\d.])(?<a>\d{1,2})\s?(?<s>[./-])\s?(?<b>\d{1,2})\s?\k<s>\s?(?<y>\d{4}|\d{2})(?![\d])/gu;
const dayMonthDate =
  /(?<!\d)(?<d>\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s-](?:of |de |di )?(?<m>\p{L}{3,10})\.?[\s,.-]{1,3}(?:de |del )?(?<y>\d{4}|\d{2})(?!\d)/gu;
const monthDayDate =
  /(?<!\p{L})(?<m>\p{L}{3,10})\.?[\s-](?<d>\d{1,2})(?:st|nd|rd|th)?\s?[,\s-]\s?(?<y>\d{4}|'\d{2})(?!\d)/gu;

/** Folded words of languages that write the day first. */
const dayFirstWords =
  /(?<!\p{L})(?:und|der|das|fur|mit|vom|bis|betrag|rechnung|les|du|et|pour|avec|facture|il|della|del|con|fattura|por|para|factura|het|een|voor|met|factuur)(?!\p{L})/gu;
const minDayFirstWords = 3;
/** Signs of a British document, which is in English and writes the day first. */
const british =
  /(?:£|(?<!\p{L})(?:GBP|United Kingdom|England|Scotland|Wales)(?!\p{L})|(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![\p{L}\d]))/u;

/**
 * The order of day and month in a document's dates. Dates with a number above 12 decide it, and dates that it also spells out. Without such dates, dollar
 * amounts and American addresses mean that the month is first, unless the language or country writes the day first.
 */
export function dayOrderOf(text: string): DayOrder {
  return knownDayOrder(text) ?? 'day_first';
}

/** As `dayOrderOf`, but undefined where nothing on the pages says it. */
export function knownDayOrder(text: string): DayOrder | undefined {
  let dayFirst = 0;
  let monthFirst = 0;
  const spelled = new Set<string | null>(spelledDatesIn(fold(text)).map(({ iso }) => iso));
  for (const { groups } of text.matchAll(numericDate)) {
    const [a, b, year] = [Number(groups?.a), Number(groups?.b), fullYear(groups?.y)];
    if (a > 12 || (b <= 12 && spelled.has(isoFrom(year, b, a)))) dayFirst += 1;
    if (b > 12 || (a <= 12 && spelled.has(isoFrom(year, a, b)))) monthFirst += 1;
  }
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'day_first' : 'month_first';
  const isDayFirst = (fold(text).match(dayFirstWords)?.length ?? 0) >= minDayFirstWords || british.test(text);
  if (isDayFirst) return 'day_first';
  const isAmerican =
    /(?<!\p{L})[A-Z]{2},? \d{5}(?:-\d{4})?(?!\d)/u.test(text) || /(?<![\p{L}])(?:USD|US\$)|\$\s?\d/u.test(text);
  return isAmerican ? 'month_first' : undefined;
}

/** All dates in a text, from left to right. */
export function datesIn(text: string, order: DayOrder): WrittenDate[] {
  const folded = fold(text);
  const found: WrittenDate[] = [];
  const add = (match: RegExpMatchArray, year: number, month: number, day: number, isAmbiguous = false) => {
    const start = match.index ?? 0;
    const end = start + match[0].length;
    const iso = isoFrom(year, month, day);
    if (iso && !found.some((other) => start < other.end && other.start < end))
      found.push({ iso, start, end, ...(isAmbiguous && { isAmbiguous }) });
  };
  for (const match of folded.matchAll(isoDate)) {
    add(match, Number(match.groups?.y), Number(match.groups?.m), Number(match.groups?.d));
  }
  for (const match of folded.matchAll(numericDate)) {
    const { a, b, y, s } = match.groups ?? {};
    const first = Number(a);
    const second = Number(b);
    const isDayFirst = second <= 12 && (first > 12 || s === '.' || order === 'day_first');
    const isAmbiguous = s !== '.' && first !== second && Math.max(first, second) <= 12;
    add(match, fullYear(y), isDayFirst ? second : first, isDayFirst ? first : second, isAmbiguous);
  }
  for (const date of spelledDatesIn(folded)) {
    if (!found.some((other) => date.start < other.end && other.start < date.end)) found.push(date);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The dates whose month is a word. */
function spelledDatesIn(folded: string): WrittenDate[] {
  return [dayMonthDate, monthDayDate].flatMap((pattern) =>
    [...folded.matchAll(pattern)].flatMap(({ 0: written, index: start, groups }) => {
      const iso = isoFrom(fullYear(groups?.y), monthNumber(groups?.m ?? ''), Number(groups?.d));
      return iso ? [{ iso, start, end: start + written.length }] : [];
    }),
  );
}

function monthNumber(name: string): number {
  return monthBeginnings.findIndex((beginning) => beginning.test(name)) + 1;
}

function fullYear(written: string | undefined): number {
  const digits = written?.replace("'", '');
  const year = Number(digits);
  if (digits?.length !== 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function isoFrom(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || year < 1900 || year > 2199) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
