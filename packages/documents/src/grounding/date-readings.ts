import { foldedTokens } from './fold-text.ts';

/** A day as `YYYY-MM-DD`, and the number of tokens it was read from. */
interface DateReading {
  day: string;
  tokens: number;
}

/** Words between the parts of a date. */
const fillers = new Set(['of', 'de', 'del', 'di', 'den', 'the', 'le', 'do', 'd', 'a', 'r', 'year']);
const ordinal = /^(\d{1,2})(?:st|nd|rd|th|er|e|o|a)$/;
/** Number of tokens of a date, with the words between its parts. */
const maxTokens = 5;

/**
 * The days that the folded tokens from `start` on can mean: any order, month as number or name, year of two or four
 * digits.
 */
export function dateReadings(tokens: readonly string[], start: number): DateReading[] {
  const first = tokens[start] ?? '';
  if (!isDigit(first) && monthNumber(first) === undefined) return [];
  if (/^\d{8}$/.test(first)) return days([first.slice(0, 4), first.slice(4, 6), first.slice(6)], 1);
  const parts: string[] = [];
  for (let position = start; position < Math.min(tokens.length, start + maxTokens); position += 1) {
    const token = tokens[position]!;
    if (parts.length > 0 && fillers.has(token)) continue;
    parts.push(...splitJoined(token));
    if (parts.length === 3) return days(parts as [string, string, string], position - start + 1);
    if (parts.length > 3) return [];
  }
  return [];
}

function isDigit(token: string): boolean {
  const code = token.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}

/** `15Nov2019` and `18th` are one token each. In `15T09` the time is part of the day's token. */
function splitJoined(token: string): string[] {
  const withOrdinal = ordinal.exec(token)?.[1];
  if (withOrdinal !== undefined) return [withOrdinal];
  const joined = /^(\d{1,2})([a-z]{3,})(\d{2,4})?$/.exec(token);
  if (joined && monthNumber(joined[2]!) !== undefined) return joined.slice(1).filter((part) => part !== undefined);
  return [/^(\d{1,2})t\d{1,2}$/.exec(token)?.[1] ?? token];
}

function days([a, b, c]: [string, string, string], tokens: number): DateReading[] {
  const orders: (readonly [year: string, month: string, day: string])[] = [
    [a, b, c],
    [c, b, a],
    [c, a, b],
  ];
  const found = orders.map(([year, month, day]) => dayOf(year, month, day)).filter((day) => day !== undefined);
  return [...new Set(found)].map((day) => ({ day, tokens }));
}

function dayOf(yearText: string, monthText: string, dayText: string): string | undefined {
  if (!/^(?:\d{2}|\d{4})$/.test(yearText) || !/^\d{1,2}$/.test(dayText)) return undefined;
  const month = /^\d{1,2}$/.test(monthText) ? Number(monthText) : monthNumber(monthText);
  const day = Number(dayText);
  if (month === undefined || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const year = Number(yearText);
  const fullYear = yearText.length === 4 ? year : year < 70 ? 2000 + year : 1900 + year;
  if (fullYear < 1000) return undefined;
  return `${fullYear}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Expected languages of documents. The runtime knows their month names. */
const locales = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'ro', 'tr'];
const minNameLength = 3;

let known: ReadonlyMap<string, number> | undefined;

/** Number of the month, 1–12, for a folded name or its abbreviation. */
function monthNumber(name: string): number | undefined {
  known ??= monthNames();
  return known.get(name);
}

function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  for (const locale of locales) {
    for (const style of ['long', 'short'] as const) {
      // Beside a day, the name has its form in dates: Polish `marca`, not `marzec`.
      const alone = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' });
      const inDate = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const date = new Date(Date.UTC(2024, month - 1, 15));
        const written = inDate.formatToParts(date).find((part) => part.type === 'month')?.value ?? '';
        for (const name of [alone.format(date), written]) {
          const [token = ''] = foldedTokens(name);
          if (token.length < minNameLength || /\d/.test(token)) continue;
          names.set(token, names.get(token) ?? month);
          if (style === 'long')
            names.set(token.slice(0, minNameLength), names.get(token.slice(0, minNameLength)) ?? month);
        }
      }
    }
  }
  return names;
}
