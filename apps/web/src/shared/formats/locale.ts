/** All formatting and parsing of numbers, dates and times. The default is the browser's locale; tests name one. */

/** The separators of a locale. */
interface NumberMarks {
  decimal: string;
  group: string;
}

const marksByLocale = new Map<string | undefined, NumberMarks>();

function marksOf(locale: string | undefined): NumberMarks {
  const known = marksByLocale.get(locale);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1_234_567.8);
  const mark = (type: string, fallback: string) => parts.find((part) => part.type === type)?.value ?? fallback;
  const marks = { decimal: mark('decimal', '.'), group: mark('group', ',') };
  marksByLocale.set(locale, marks);
  return marks;
}

/**
 * Parses a number typed in the locale: `18,09` and `1.234,50` in German, `18.09` and `1,234.50` in English. A separator
 * that cannot separate groups of three is the decimal separator, so `18.09` works in German too.
 *
 * @example parseNumber('1.234,50', 'de') // 1234.5
 * @returns undefined if the text is not a number.
 */
export function parseNumber(text: string, locale?: string): number | undefined {
  const written = numberAsJson(text, locale);
  return written === undefined ? undefined : Number(written);
}

/**
 * A typed number as JSON writes it, with all of its digits.
 *
 * @example numberAsJson('12.345.678.901.234.567.890', 'de') // '12345678901234567890'
 * @returns undefined if the text is not a number.
 */
export function numberAsJson(text: string, locale?: string): string | undefined {
  const compact = text
    .trim()
    .replace(/[\s\u00A0\u202F'’]/gu, '')
    .replace(/^−/u, '-');
  if (!/^[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?$/iu.test(compact)) return undefined;
  const decimal = decimalMarkIn(compact, marksOf(locale));
  if (decimal === undefined) return undefined;
  const group = decimal === '.' ? ',' : '.';
  const [whole = '', ...fractions] = compact.split(decimal);
  if (fractions.length > 1 || fractions.some((part) => part.includes(group))) return undefined;
  if (whole.includes(group) && !/^[+-]?\d{1,3}([.,]\d{3})+$/u.test(whole)) return undefined;
  const digits = [whole.replaceAll(group, ''), ...fractions].join('.').replace(/^\+/u, '');
  if (!Number.isFinite(Number(digits))) return undefined;
  return digits
    .replace(/^(-?)0*(?=\d)/u, '$1')
    .replace(/^(-?)\./u, '$10.')
    .replace(/\.$|\.(?=e)/iu, '');
}

/** Finds which of `.` and `,` is the decimal separator in a typed number. */
function decimalMarkIn(text: string, { decimal }: NumberMarks): '.' | ',' | undefined {
  const points = text.split('.').length - 1;
  const commas = text.split(',').length - 1;
  if (points > 0 && commas > 0) return text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',';
  if (points + commas === 0) return '.';
  const used = points > 0 ? '.' : ',';
  const other = used === '.' ? ',' : '.';
  if (points + commas > 1) return other;
  if (used === decimal) return used;
  return /^[+-]?\d{1,3}[.,]\d{3}$/u.test(text) ? other : used;
}

/** Formats a number for editing: the locale's decimal separator, no groups, every digit. */
export const editableNumber = (value: number, locale?: string): string =>
  String(value).replace('.', marksOf(locale).decimal);

const maxFractionDigits = 15;
const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string | undefined, kind: 'plain' | 'amount'): Intl.NumberFormat {
  const key = `${locale ?? ''} ${kind}`;
  const format =
    numberFormats.get(key) ??
    new Intl.NumberFormat(locale, {
      useGrouping: kind === 'amount',
      minimumFractionDigits: kind === 'amount' ? 2 : 0,
      maximumFractionDigits: maxFractionDigits,
    });
  numberFormats.set(key, format);
  return format;
}

/** Formats an extracted number without groups, since it may be a year or a customer number. */
export const formatNumber = (value: number, locale?: string): string => numberFormat(locale, 'plain').format(value);

/** Formats an amount of money with groups and at least two decimals: `1,234.50`. */
export const formatAmount = (value: number, locale?: string): string => numberFormat(locale, 'amount').format(value);

/** Formats millionths of a currency's unit: `$0.35`, and up to four decimals below a unit: `$0.0035`. */
export function formatMoney(micros: number, currency: string, locale?: string): string {
  const key = `${locale ?? ''} ${currency} ${micros < 1_000_000}`;
  const format =
    numberFormats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: micros < 1_000_000 ? 4 : 2,
    });
  numberFormats.set(key, format);
  return format.format(micros / 1_000_000);
}

const amountNames =
  /(^|[^a-z])(amount|amounts|total|subtotal|sum|price|cost|costs|net|gross|tax|vat|balance|fee|fees|discount|due|paid|debit|credit|betrag|summe|preis|netto|brutto|montant|prix|importe|precio)([^a-z]|$)/u;

/** Guesses from its name whether a number field holds money: `unit_price`, `Total amount`. */
export function isAmount(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
  return amountNames.test(words) && !/(rate|percent|number|count|quantity|days|code|id)([^a-z]|$)/u.test(words);
}

const dayFormats = new Map<string | undefined, Intl.DateTimeFormat>();

/** Kept, as formats of numbers are: making one takes many times longer than using it. */
function dayFormat(locale: string | undefined): Intl.DateTimeFormat {
  const format = dayFormats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  dayFormats.set(locale, format);
  return format;
}

/** Formats a date such as `2026-01-31`; other text is returned unchanged. */
export function formatDay(iso: string, locale?: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(iso);
  if (match === null) return iso;
  const [, year, month, day] = match;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) ? dayFormat(locale).format(date) : iso;
}

/**
 * A typed day as `2026-01-31`. The locale decides the order of day and month, unless only one order is possible.
 *
 * @example dayAsIso('31.1.2026', 'de') // '2026-01-31'
 * @returns undefined if the text is not a day.
 */
export function dayAsIso(text: string, locale?: string): string | undefined {
  const match = /^(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4})$/u.exec(text.trim());
  if (match === null) return dayInWords(text, locale);
  const [first, second, year] = [Number(match[1]), Number(match[3]), Number(match[4])];
  const order = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type);
  // A point between day and month is written where the day comes first.
  const startsWithMonth = match[2] !== '.' && order.indexOf('month') < order.indexOf('day');
  return startsWithMonth
    ? (isoDay(year, first, second) ?? isoDay(year, second, first))
    : (isoDay(year, second, first) ?? isoDay(year, first, second));
}

/** A day as pages show it, with the name of its month: `Jan 31, 2026`. */
function dayInWords(text: string, locale: string | undefined): string | undefined {
  const plain = (written: string) =>
    written
      .trim()
      .replaceAll(/[\s.,]+/gu, ' ')
      .toLowerCase();
  const [year, ...more] = text.match(/\d{4}/gu) ?? [];
  const [day] = text.match(/(?<!\d)\d{1,2}(?!\d)/gu) ?? [];
  if (year === undefined || day === undefined || more.length > 0) return undefined;
  const months = Array.from({ length: 12 }, (_, index) => isoDay(Number(year), index + 1, Number(day)));
  const styles = [dayFormat(locale), new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })];
  return months.find(
    (iso) => iso !== undefined && styles.some((style) => plain(style.format(Date.parse(iso))) === plain(text)),
  );
}

function isoDay(year: number, month: number, day: number): string | undefined {
  const two = (part: number) => String(part).padStart(2, '0');
  const iso = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? iso : undefined;
}

/** Formats a month such as `2026-01`; other text is returned unchanged. */
export function formatMonth(iso: string, locale?: string): string {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/u.exec(iso);
  if (match === null) return iso;
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(Date.UTC(Number(match[1]), Number(match[2]) - 1));
}

/** The format of a time of day on every page. */
export const clockStyle = { hour: 'numeric', minute: '2-digit' } as const satisfies Intl.DateTimeFormatOptions;

/** Formats a time of day: 7, 30 → `07:30` or `7:30 AM`. */
export function formatClock(hours: number, minutes: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { ...clockStyle, timeZone: 'UTC' }).format(
    Date.UTC(2000, 0, 1, hours, minutes),
  );
}

/** Whether the locale writes `1:07 PM` rather than `13:07`. */
export const hasTwelveHours = (locale?: string): boolean =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
