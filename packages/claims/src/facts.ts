import { boundAfter, boundBefore, type Bound } from './bounds.ts';
import { datesOf, type PartialDate } from './dates.ts';
import { multiplesOf, numberWordsOf } from './number-words.ts';
import { currenciesOfWord, percentLength, scaleOfWord, unitOfWord, type Unit } from './units.ts';
import type { TextLanguage } from '@docwright/language';

interface Place {
  start: number;
  end: number;
  text: string;
}

/** What digits can mean, with half of their last one. */
interface Reading {
  value: number;
  tolerance: number;
  /** Its digits, if it has more of them than JavaScript's numbers keep. */
  digits?: string | undefined;
}

/** A number that a text states. `values` has more than one reading if a separator can mean two things. */
export interface NumberFact extends Place {
  kind: 'number';
  readings: Reading[];
  bound: Bound;
  /** The currencies that its sign can mean. */
  currencies?: readonly string[] | undefined;
  unit?: Unit | undefined;
  isPercent: boolean;
  /** It can be a year. */
  isYear: boolean;
  isPage: boolean;
}

/** A date or period that a text states. */
export interface DateFact extends Place {
  kind: 'date';
  readings: PartialDate[];
  bound: Bound;
}

/** A word with digits, like INV-2031. */
interface IdentifierFact extends Place {
  kind: 'identifier';
}

export type Fact = NumberFact | DateFact | IdentifierFact;

/** Which sign separates decimals; `either` if it is unclear. */
export type DecimalSign = '.' | ',' | 'either';

/** The sign of a locale, as in `Accept-Language`. */
export function decimalSignOf(locale: string | undefined): DecimalSign {
  if (locale === undefined || locale === '') return 'either';
  try {
    const part = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal');
    return part?.value === ',' ? ',' : '.';
  } catch {
    return 'either';
  }
}

const numberPattern =
  /(?<![\p{L}\p{N}])(?<![\p{N}][.,])\d{1,3}(?:[\u00a0\u202f\u2009 '’]\d{3}(?!\d))+(?:[.,]\d+)?|(?<![\p{L}\p{N}])(?<![\p{N}][.,])\d+(?:[.,]\d+)*/gu;
// Whether it has letters and digits is tested afterwards: a look ahead from each place of a long run would take minutes.
const joinedPattern = /[\p{L}\p{N}]+(?:[/_.#-]+[\p{L}\p{N}]+)*/gu;
const ordinal = /^\d+(?:st|nd|rd|th|er|re|e|è?me|º|ª|a)$/iu;
const numberWithSign = /^(?:[A-Z]{0,3}[$€£]?)?\d[\d.,]*(?:k|m|mio|mrd|bn|[a-z]{1,5}|%)?$/iu;

/** The values that digits with separators can mean, each with half of its last digit. */
function valuesOf(digits: string, decimal: DecimalSign): Reading[] {
  const text = digits.replaceAll(/[\s'’]/gu, '');
  const signs = text.replaceAll(/\d/gu, '');
  const reading = (sign: string | undefined) => {
    const [whole = '', part = ''] = sign === undefined ? [text] : text.split(sign);
    const plain = `${whole.replaceAll(/\D/gu, '')}${part === '' ? '' : `.${part}`}`;
    return { value: Number(plain), tolerance: 0.5 * 10 ** -part.length, digits: manyDigits(plain) };
  };
  if (signs === '') return [reading(undefined)];
  const last = signs.at(-1)!;
  if (new Set(signs).size > 1) return [reading(last)];
  const groups = text.split(last);
  if (signs.length > 1) return groups.slice(1).every(({ length }) => length === 3) ? [reading(undefined)] : [];
  const isAmbiguous = groups[1]?.length === 3 && groups[0]!.length <= 3 && groups[0] !== '0' && text === digits;
  if (!isAmbiguous) return [reading(last)];
  if (decimal === 'either') return [reading(undefined), reading(last)];
  return [reading(decimal === last ? last : undefined)];
}

/** A number in digits, if it has more of them than JavaScript's numbers keep. */
export const manyDigits = (plain: string): string | undefined => (/\d(?:\.?\d){15}/u.test(plain) ? plain : undefined);

/** The text right after a number: scale, percent, currency, unit. Returns its length. */
function readSuffix(after: string) {
  let at = 0;
  const next = () => /^[\s\u00a0\u202f-]*/u.exec(after.slice(at))?.[0].length ?? 0;
  const word = () => /^(?:us\$|r\$|[€$£¥₹₺₽]|[\p{L}]+(?:-[\p{L}]+)?\.?)/iu.exec(after.slice(at + next()))?.[0];
  const take = (text: string) => (at += next() + text.length);
  let scale = 1;
  const scaleWord = word();
  const factor = scaleWord === undefined ? undefined : scaleOfWord(scaleWord.replace(/\.$/u, ''));
  const isShort = scaleWord === 'm' || scaleWord === 'M';
  if (factor !== undefined || (isShort && !/^\s/u.test(after))) {
    scale = factor ?? 1e6;
    take(scaleWord!);
    const joined = /^\s+(?:de|d'|d’)(?=\s|[a-z€])/iu.exec(after.slice(at));
    if (joined !== null) at += joined[0].length;
  }
  const percent = percentLength(after.slice(at + next()));
  if (percent > 0) return { scale, isPercent: true, length: at + next() + percent };
  const unitWord = word();
  if (unitWord === undefined) return { scale, isPercent: false, length: at };
  const bare = unitWord.replace(/\.$/u, '');
  const currencies = currenciesOfWord(unitWord) ?? currenciesOfWord(bare);
  const unit = currencies === undefined ? unitOfWord(bare) : undefined;
  if (currencies !== undefined || unit !== undefined) take(bare);
  return { scale, isPercent: false, currencies, unit, length: at };
}

const signBefore = /(us\$|r\$|c\$|a\$|[€$£¥₹₺₽]|(?<![\p{L}])[A-Z]{3}|(?<![\p{L}])kr)[\s\u00a0]?[-−]?$/iu;
const pageBefore = /(?:\bpages?|\bp\.|\bSeiten?|\bS\.|\bpágina|\bpagina)\s*$/iu;
const blank = (text: string, { start, end }: { start: number; end: number }): string =>
  text.slice(0, start) + '\u0000'.repeat(end - start) + text.slice(end);

/**
 * The numbers, dates and identifiers that a text states, in order. Offsets are those of the text.
 *
 * @param text A sentence without citation marks; blank them with spaces to keep offsets.
 * @param decimal The sign of decimals in the text's locale.
 * @param language The language of number words; without it, those of all languages are read.
 *
 * @example
 * ```ts
 * import { factsOf } from './facts.ts';
 *
 * console.log(factsOf('We paid €1,200.50 on 5 March 2026.', '.').map(({ kind, text }) => [kind, text]));
 * // [['number', '€1,200.50'], ['date', '5 March 2026']]
 * ```
 */
export function factsOf(text: string, decimal: DecimalSign, language?: TextLanguage): Fact[] {
  const facts: Fact[] = [];
  let rest = text.replace(/^\s*\d{1,3}[.)]\s/u, (marker) => ' '.repeat(marker.length));
  for (const { start, end, readings } of datesOf(rest)) {
    const bound = boundBefore(text.slice(0, start));
    facts.push({ kind: 'date', start, end, text: text.slice(start, end), readings, bound });
  }
  for (const fact of facts) rest = blank(rest, fact);
  for (const match of rest.matchAll(joinedPattern)) {
    const found = match[0];
    if (!/\p{L}/u.test(found) || !/\p{N}/u.test(found)) continue;
    if (ordinal.test(found) || isNumberWithSign(found)) continue;
    const place = { start: match.index, end: match.index + found.length };
    facts.push({ kind: 'identifier', ...place, text: found });
  }
  for (const fact of facts) rest = blank(rest, fact);
  for (const match of rest.matchAll(numberPattern)) {
    const before = text.slice(0, match.index);
    if (/^(?:st|nd|rd|th|er|re|e|è?me|º|ª)(?![\p{L}])/iu.test(text.slice(match.index + match[0].length))) continue;
    const suffix = readSuffix(rest.slice(match.index + match[0].length));
    const sign = signBefore.exec(before);
    const currencies = suffix.currencies ?? (sign === null ? undefined : currenciesOfWord(sign[1]!));
    const start = match.index - (currencies !== undefined && suffix.currencies === undefined ? sign![0].length : 0);
    const end = match.index + match[0].length + suffix.length;
    const isNegative = /(?:^|[\s(€$£])[-−]$/u.test(before);
    const readings = valuesOf(match[0], decimal).map(({ value, tolerance, digits }) => ({
      value: value * suffix.scale * (isNegative ? -1 : 1),
      tolerance: tolerance * suffix.scale,
      digits: suffix.scale === 1 ? digits : undefined,
    }));
    if (readings.length === 0) continue;
    facts.push({
      kind: 'number',
      start,
      end,
      text: text.slice(start, end),
      readings,
      bound: boundAfter(text.slice(end)) ?? boundBefore(text.slice(0, start)),
      currencies,
      unit: suffix.unit,
      isPercent: suffix.isPercent,
      isYear: /^(?:19|20)\d{2}$/u.test(match[0]) && currencies === undefined && suffix.length === 0,
      isPage: pageBefore.test(before),
    });
  }
  for (const { start, end, readings } of multiplesOf(rest)) {
    const bound = boundBefore(text.slice(0, start));
    const plain = { isPercent: false, isYear: false, isPage: false };
    facts.push({ kind: 'number', start, end, text: text.slice(start, end), readings, bound, ...plain });
    rest = blank(rest, { start, end });
  }
  for (const { start, end, value: count, isAbout } of numberWordsOf(rest, language)) {
    const suffix = readSuffix(rest.slice(end));
    const value = count * suffix.scale;
    const shared = { currencies: suffix.currencies, unit: suffix.unit, isPercent: suffix.isPercent };
    const bound = isAbout ? 'about' : boundBefore(text.slice(0, start));
    const place = { start, end: end + suffix.length, text: text.slice(start, end + suffix.length) };
    const readings = [{ value, tolerance: 0.5 * suffix.scale }];
    facts.push({ kind: 'number', ...place, readings, bound, ...shared, isYear: false, isPage: false });
  }
  return withRanges(
    facts.toSorted((one, other) => one.start - other.start),
    text,
  );
}

/** “Between 500 and 1,000 EUR”: two limits, and the sign of the second is that of both. */
function withRanges(facts: readonly Fact[], text: string): Fact[] {
  const found = [...facts];
  for (const [at, high] of facts.entries()) {
    const low = found[at - 1];
    if (low === undefined || low.kind !== high.kind || low.kind === 'identifier' || high.kind === 'identifier')
      continue;
    if (!rangeStart.test(text.slice(0, low.start)) || !rangeJoint.test(text.slice(low.end, high.start))) continue;
    found[at - 1] =
      low.kind === 'number' && high.kind === 'number'
        ? { ...low, ...sharedSign(low, high), bound: 'at_least' }
        : { ...low, bound: 'at_least' };
    found[at] = { ...high, bound: 'at_most' };
  }
  return found;
}

const rangeStart = /(?:^|[^\p{L}])(?:between|zwischen|entre|tussen|tra|fra)(?: the| dem| le| el)?\s+$/iu;
const rangeJoint = /^\s+(?:and|und|et|y|en|e)(?: the| dem| le| el)?\s+$/iu;
const sharedSign = (low: NumberFact, { currencies, unit, isPercent }: NumberFact): Partial<NumberFact> =>
  low.currencies === undefined && low.unit === undefined && !low.isPercent ? { currencies, unit, isPercent } : {};

/** Whether a word with digits is a number with its unit, such as 12k, EUR500 or 30days. */
function isNumberWithSign(word: string): boolean {
  if (!numberWithSign.test(word)) return false;
  const letters = word.replaceAll(/[\d.,]/gu, '');
  const known = (text: string) =>
    text === '' ||
    /^m$/iu.test(text) ||
    scaleOfWord(text) !== undefined ||
    currenciesOfWord(text) !== undefined ||
    unitOfWord(text) !== undefined;
  return known(letters) && (/^\d/u.test(word) || currenciesOfWord(letters) !== undefined);
}
