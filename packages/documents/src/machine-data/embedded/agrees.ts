import { dateReadings } from '../../grounding/date-readings.ts';
import { foldedTokens } from '../../grounding/fold-text.ts';
import { numberReadings } from '../../grounding/number-readings.ts';

/** A value of a result. */
export type Scalar = string | number | boolean | null;

const decimal = /^[-+]?\d+(?:\.\d+)?$/;
const day = /^\d{4}-\d{2}-\d{2}(?=$|T)/;
/** Two numbers are equal if they differ by at most this fraction of the larger one. */
const tolerance = 1e-9;

/**
 * Whether a value says the same as one that was written for machines: `2380`, `'2.380,00 EUR'` and `'2380.00'` are one
 * amount, `'3 November 2026'` and `'2026-11-03'` one day. Texts are compared without case, accents and spaces.
 */
export function agrees(value: Scalar, embedded: Scalar): boolean {
  if (value === null || value === '') return embedded === null || embedded === '';
  if (embedded === null || embedded === '') return false;
  if (typeof value === 'boolean' || typeof embedded === 'boolean') return String(value) === String(embedded);
  const [one, other] = [String(value).trim(), String(embedded).trim()];
  if (decimal.test(other)) return numbersOf(one).some((number) => isEqual(number, other));
  const stated = day.exec(other)?.[0];
  if (stated !== undefined) return dateReadings(foldedTokens(one), 0).some((reading) => reading.day === stated);
  return plain(one) === plain(other);
}

/** An identifier with leading zeros is no number: `007` and `7` differ. */
function numbersOf(text: string): string[] {
  return decimal.test(text) ? [text] : numberReadings(text).map(({ digits }) => digits);
}

function isEqual(one: string, other: string): boolean {
  const isIdentifier = /^0\d/.test(one) || /^0\d/.test(other);
  const [a, b] = [Number(one), Number(other)];
  // Beyond the digits of a double, only equal digits are equal.
  if (isIdentifier || Math.max(Math.abs(a), Math.abs(b)) > Number.MAX_SAFE_INTEGER)
    return digits(one) === digits(other);
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

const digits = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace(/^\+/, '');

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}|\s/gu, '')
    .replaceAll(/\p{Pd}|−/gu, '-')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}
