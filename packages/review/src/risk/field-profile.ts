import { eachInSteps, type Steps } from '../steps/steps.ts';

type Value = string | number | boolean | null;

/** A verified value, with the document that it is of. */
interface VerifiedValue {
  readonly field: string;
  readonly value: Value;
  readonly documentId: string;
}

/** Statistics of the verified values of one field. Plain JSON data, so that it can be stored. */
export interface FieldProfile {
  /** Number of all values, empty ones included. */
  readonly count: number;
  /** Number of documents that the values are of. */
  readonly documents: number;
  /** Number of values that are null or `''`. */
  readonly empty: number;
  /** Number of values that are numbers. */
  readonly numbers: number;
  /** Median and spread (median absolute deviation) of the logarithm of the magnitude; null without a number. */
  readonly magnitude: { readonly median: number; readonly spread: number } | null;
  readonly hasNegative: boolean;
  readonly hasZero: boolean;
  /** Number of texts by shape, such as `A-9999`. The 50 most frequent shapes. */
  readonly shapes: Readonly<Record<string, number>>;
  /** Number of texts that are not empty. */
  readonly texts: number;
  /** The shortest and the longest text, in UTF-16 units; null without a text. */
  readonly length: { readonly min: number; readonly max: number } | null;
}

/** Fewer values do not predict the next one. */
const minValues = 5;
/** The rows of one document are alike, and do not predict those of the next. */
const minDocuments = 5;
const maxShapes = 50;
/** If no shape has at least this share, the field is free text, and a new shape is not unusual. */
const minRegularShare = 0.5;

/**
 * Computes the profile of each field from verified values.
 *
 * @example
 * ```ts
 * import { profileSteps, finish } from '@docwright/review';
 *
 * finish(profileSteps([{ field: 'currency', value: 'EUR', documentId: '1' }])).get('currency')?.count; // 1
 * ```
 */
export function* profileSteps(values: Iterable<VerifiedValue>): Steps<Map<string, FieldProfile>> {
  const profiles = new Map<string, FieldProfile>();
  for (const [field, all] of Map.groupBy(values, (value) => value.field)) {
    yield;
    profiles.set(field, yield* profileOf(all));
  }
  return profiles;
}

function* profileOf(verified: readonly VerifiedValue[]): Steps<FieldProfile> {
  const values = verified.map(({ value }) => value);
  const numbers = values.filter((value) => typeof value === 'number');
  const texts = values.filter((value) => typeof value === 'string' && value !== '') as string[];
  const magnitudes = numbers.filter((number) => number !== 0).map((number) => Math.log(Math.abs(number)));
  const lengths = texts.map(({ length }) => length);
  return {
    count: values.length,
    documents: new Set(verified.map(({ documentId }) => documentId)).size,
    empty: values.filter(isEmpty).length,
    numbers: numbers.length,
    magnitude: magnitudes.length === 0 ? null : spreadOf(magnitudes),
    hasNegative: numbers.some((number) => number < 0),
    hasZero: numbers.includes(0),
    shapes: yield* countShapes(texts),
    texts: texts.length,
    length: lengths.length === 0 ? null : { min: minOf(lengths), max: maxOf(lengths) },
  };
}

/**
 * How much a value differs from the verified values of its field, 0 to 1. It is 0 without a profile, or if its
 * values are of fewer than five documents.
 *
 * @example
 * ```ts
 * import { finish, profileSteps, unusualness } from '@docwright/review';
 *
 * const numbers = ['INV-2031', 'INV-2032', 'INV-2033', 'INV-2034', 'INV-2035'];
 * const values = numbers.map((value, at) => ({ field: 'number', value, documentId: String(at) }));
 * const profile = finish(profileSteps(values)).get('number');
 * unusualness('INV-2036', profile); // 0
 * unusualness('Total due', profile) > 0.5; // true
 * ```
 */
export function unusualness(value: Value, profile: FieldProfile | undefined): number {
  if (profile === undefined || profile.documents < minDocuments) return 0;
  const emptyShare = (profile.empty + 0.5) / (profile.count + 1);
  if (isEmpty(value)) return clamp(1 - emptyShare * 4);
  // A value in a field that is otherwise always empty.
  const unexpected = clamp(1 - (1 - emptyShare) * 4);
  if (typeof value === 'number') return Math.max(unexpected, unusualNumber(value, profile));
  if (typeof value === 'string') return Math.max(unexpected, unusualText(value, profile));
  return unexpected;
}

function unusualNumber(value: number, { numbers, magnitude, hasNegative, hasZero }: FieldProfile): number {
  if (numbers < minValues) return 0;
  if (value === 0) return hasZero ? 0 : 0.8;
  const sign = value < 0 && !hasNegative ? 0.9 : 0;
  if (magnitude === null) return sign;
  // The spread of few values is uncertain. The minimum of 0.5 is a factor of about 1.6.
  const deviations = Math.abs(Math.log(Math.abs(value)) - magnitude.median) / Math.max(magnitude.spread, 0.5);
  return Math.max(sign, clamp((deviations - 3) / 4));
}

function unusualText(text: string, { texts, shapes, length }: FieldProfile): number {
  if (texts < minValues || length === null) return 0;
  const seen = shapes[shapeOf(text)] ?? 0;
  const topShare = maxOf(Object.values(shapes)) / texts;
  const byShape = seen === 0 && topShare >= minRegularShare ? topShare * (texts / (texts + 2)) : 0;
  const tooLong = clamp((text.length / length.max - 1.5) / 2);
  const tooShort = clamp((length.min / Math.max(1, text.length) - 1.5) / 2);
  return Math.max(byShape, tooLong, tooShort);
}

/** Replaces each run of letters by one letter and each digit by 9: `INV-2025` becomes `A-9999`. */
function shapeOf(text: string): string {
  return text
    .normalize('NFKC')
    .slice(0, 200)
    .replaceAll(/\p{Lu}+/gu, 'A')
    .replaceAll(/[\p{L}]+/gu, (run) => (run === 'A' ? 'A' : 'a'))
    .replaceAll(/\d/g, '9')
    .replaceAll(/9{7,}/g, '9+')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function* countShapes(texts: readonly string[]): Steps<Record<string, number>> {
  const counts = new Map<string, number>();
  yield* eachInSteps(texts, (text) => {
    const shape = shapeOf(text);
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  });
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxShapes));
}

function spreadOf(values: readonly number[]): { median: number; spread: number } {
  const median = medianOf(values);
  return { median, spread: medianOf(values.map((value) => Math.abs(value - median))) };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function minOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function maxOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0);
}

function isEmpty(value: Value): boolean {
  return value === null || value === '';
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
