import type { Reason } from './reasons.ts';

/** A word of a document, with its place where the document has places. Points, origin top left. */
export interface PlacedWord {
  text: string;
  place?: { x0: number; y0: number; x1: number; y1: number };
  /** Whether it was recognised in a picture, which no other reader does. */
  isRecognised?: boolean;
  /** Why only one of both has it. Of a word that both have it says nothing. */
  reason?: Reason;
}

export type Place = NonNullable<PlacedWord['place']>;

const invisible = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]/gu;

/** A word as it is compared: ligatures and full-width letters are their letters. */
export function foldWord(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '');
}

/** The words of a text without places. */
export function wordsOf(text: string): PlacedWord[] {
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => ({ text: word }));
}

/** Whether two words stand at the same place. */
export function touches(one: Place, other: Place): boolean {
  const height = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0);
  const width = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
  return height > 0.3 * Math.min(one.y1 - one.y0, other.y1 - other.y0) && width > -1;
}

/** Whether a number is another one with fewer digits. */
export function isRounded(exact: string, rounded: string): boolean {
  const digits = /^-?\d+(?:\.(\d+))?(?:E[+-]\d+)?$/u;
  const [, decimals = ''] = digits.exec(rounded) ?? [];
  if (!digits.test(exact) || !digits.test(rounded) || exact.length <= rounded.length) return false;
  if (rounded.includes('E'))
    return Number(exact).toExponential(decimals.length) === Number(rounded).toExponential(decimals.length);
  return Math.abs(Number(exact) - Number(rounded)) <= 0.5000001 * 10 ** -decimals.length;
}
