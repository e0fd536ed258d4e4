import { numberInText, type Cell } from '@docwright/contract';

/** Negative if `one` comes first; undefined if the two cannot be compared. */
export function compare(one: unknown, other: unknown): number | undefined {
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left - right;
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  if (!isPlain(one) || !isPlain(other)) return undefined;
  if ((left === undefined) !== (right === undefined) && typeof other === 'number') return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return text(one).localeCompare(text(other), 'en', { sensitivity: 'accent' });
}

/** The number of a value, also of an amount in text; undefined without one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? numberInText(value) : undefined;
}

/** A value as conditions see it: lists of single values are one text, and other lists and objects nothing. */
export function cellValue(value: unknown): Cell {
  if (Array.isArray(value)) {
    const isPlain = value.length > 0 && value.every((each) => typeof each !== 'object' || each === null);
    return isPlain ? value.map((each) => String(each ?? '')).join('; ') : null;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

const sign = /^\s*([A-Z]{3}|[€$£])|([A-Z]{3}|[€$£])\s*$/u;
const codeOfSign: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };

/** The currency that a value contains. */
export function currencyInside(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (numberInText(value) === undefined) return undefined;
  const [, front, back] = sign.exec(value) ?? [];
  const found = front ?? back;
  return found === undefined ? undefined : (codeOfSign[found] ?? found);
}
