import { datesIn } from '../values/date.ts';

/** A date in a request, and the rest of the request without it. */
export interface FoundDueDate {
  /** `YYYY-MM-DD`. */
  date: string;
  rest: string;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const numbers: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 };

const lead = String.raw`(?:(?:which is |is |are )?(?:due|deadline)?[\s:]*(?:by|before|until|till|on|for|no later than)?\s*(?:the\s+)?)?`;
const weekday = String.raw`(?<modifier>this|next|coming)?\s*(?<weekday>sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?`;
const month = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const relativeDate = new RegExp(
  String.raw`(?<![\p{L}\d])${lead}(?:(?<word>the day after tomorrow|day after tomorrow|today|tonight|tomorrow|next week|next month|(?:the )?end of (?:the |this )?(?:week|month|year))|in (?<count>\d{1,3}|an?|one|two|three|four|five|six|seven) (?<unit>day|week|month)s?)(?![\p{L}\d])`,
  'iu',
);
const weekdayDate = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?:due|by|before|until|till|on|for|to)\s+)+(?:the\s+)?${weekday}(?![\p{L}\d])|(?<![\p{L}\d])(?:this|next|coming) (?<other>sun|mon|tues|wednes|thurs|fri|satur)day(?![\p{L}\d])|(?<![\p{L}\d])(?<last>sun|mon|tues|wednes|thurs|fri|satur)day$`,
  'iu',
);
const dayAndMonth = new RegExp(
  String.raw`(?<![\p{L}\d])${lead}(?:(?<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?${month}|${month.replace('<month>', '<monthFirst>')}\s+(?<dayAfter>\d{1,2})(?:st|nd|rd|th)?)(?![\p{L}\d])(?!,? \d{4})`,
  'iu',
);
const leadAtEnd = new RegExp(String.raw`(?<![\p{L}\d])${lead}$`, 'iu');

/** The first date in a request; undefined without one. Relative dates count from `today` (`YYYY-MM-DD`). */
export function dueIn(text: string, today: string): FoundDueDate | undefined {
  const [written] = datesIn(text, 'day_first');
  if (written) return { date: written.iso, rest: without(text, written.start, written.end) };
  for (const [pattern, read] of readings) {
    const match = pattern.exec(text);
    const date = match && read(match.groups ?? {}, today);
    if (match && date) return { date, rest: without(text, match.index, match.index + match[0].length) };
  }
  return undefined;
}

type Groups = Record<string, string | undefined>;

const readings: readonly [RegExp, (groups: Groups, today: string) => string | undefined][] = [
  [relativeDate, ({ word, count, unit }, today) => (word ? dateOfPhrase(word, today) : dateAfter(count, unit, today))],
  [dayAndMonth, nextDate],
  [
    weekdayDate,
    ({ modifier, weekday: named, other, last }, today) => nextWeekday(named ?? other ?? last ?? '', modifier, today),
  ],
];

function without(text: string, start: number, end: number): string {
  const before = text.slice(0, start).replace(leadAtEnd, '');
  return `${before} ${text.slice(end)}`.replaceAll(/\s+/gu, ' ').trim();
}

function dateOfPhrase(word: string, today: string): string {
  const phrase = word.toLowerCase();
  if (phrase.includes('after tomorrow')) return plusDays(today, 2);
  if (phrase === 'tomorrow') return plusDays(today, 1);
  if (phrase === 'next week') return plusDays(today, 7);
  if (phrase === 'next month') return plusMonths(today, 1);
  if (phrase.includes('week')) return plusDays(today, 7 - (weekdayOf(today) || 7));
  if (phrase.includes('month')) return plusDays(plusMonths(`${today.slice(0, 8)}01`, 1), -1);
  if (phrase.includes('year')) return `${today.slice(0, 4)}-12-31`;
  return today;
}

function dateAfter(count: string | undefined, unit: string | undefined, today: string): string {
  const amount = numbers[count?.toLowerCase() ?? ''] ?? Number(count);
  if (unit?.toLowerCase() === 'month') return plusMonths(today, amount);
  return plusDays(today, unit?.toLowerCase() === 'week' ? 7 * amount : amount);
}

/** The next occurrence of a date without a year; undefined when the month has no such day. */
function nextDate({ day, month: before, dayAfter, monthFirst }: Groups, today: string): string | undefined {
  const index = months.indexOf((before ?? monthFirst ?? '').slice(0, 3).toLowerCase());
  const rest = `-${String(index + 1).padStart(2, '0')}-${(day ?? dayAfter ?? '').padStart(2, '0')}`;
  const year = Number(today.slice(0, 4));
  const date = `${`${year}${rest}` < today ? year + 1 : year}${rest}`;
  return new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ? date : undefined;
}

/** The first such weekday after today; with `next`, the one in the week that starts on the next Monday. */
function nextWeekday(named: string, modifier: string | undefined, today: string): string {
  const target = weekdays.findIndex((name) => name.startsWith(named.toLowerCase().slice(0, 3)));
  const ahead = (target - weekdayOf(today) + 7) % 7 || 7;
  if (modifier?.toLowerCase() !== 'next') return plusDays(today, ahead);
  const untilMonday = (1 - weekdayOf(today) + 7) % 7 || 7;
  return plusDays(today, untilMonday + ((target + 6) % 7));
}

function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

function plusDays(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** The same day of another month, or its last day when that month is shorter. */
function plusMonths(date: string, count: number): string {
  const [year = 0, monthNumber = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, monthNumber + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, monthNumber - 1 + count, Math.min(day, last))).toISOString().slice(0, 10);
}

const longFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a date or time as `Fri, 27 Nov 2026`. */
export function longDate(date: string): string {
  return longFormat.format(new Date(date));
}
