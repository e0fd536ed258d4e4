import { raisedNumber } from '../../parsers/raised-digits.ts';

/** Sizes of fonts: a raised digit has at most this share of the other one's. */
const maxShareOfSize = 0.85;
/** How far a raised digit ends above the other one, in font sizes of the larger one. A smaller digit on the same line ends .1 above it. */
const minRise = 0.15;

interface Digit {
  /** Font size in points. */
  size: number;
  /** Lower end in points, from the top. */
  bottom: number;
}

/**
 * Which of two neighbouring digits is raised beside the other: the mark of a note, an exponent, or the cents of a price. Joined, they
 * would be another number.
 */
export function raisedOf(textBefore: string, last: Digit, next: Digit): 'last' | 'next' | undefined {
  if (isRaisedBeside(next, last)) return /\d[.,]?$/u.test(textBefore) ? 'next' : undefined;
  if (isRaisedBeside(last, next)) return /^\d+$/u.test(textBefore) ? 'last' : undefined;
  return undefined;
}

function isRaisedBeside(one: Digit, other: Digit): boolean {
  return one.size < other.size * maxShareOfSize && other.bottom - one.bottom > other.size * minRise;
}

/** Not the upper part of a fraction. */
const leadingNumber = /^\d+(?:[.,]\d+)*(?![\d/⁄])/u;

/** The text of a word that begins with raised digits, in raised signs, as a Word file's marks of notes are written. */
export function beginsRaised(text: string): string {
  return text.replace(leadingNumber, (number) => raisedNumber(number));
}
