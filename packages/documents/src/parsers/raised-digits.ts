/** Where letters stand beside the line of their text. */
export type RaisedPlace = 'super' | 'sub';

const signs: Readonly<Record<RaisedPlace, string>> = { super: '⁰¹²³⁴⁵⁶⁷⁸⁹', sub: '₀₁₂₃₄₅₆₇₈₉' };
const leadingNumber = /^\d+(?:[.,]\d+)*/u;

/** A number in raised or lowered signs. */
export function raisedNumber(number: string, place: RaisedPlace = 'super'): string {
  return number.replaceAll(/\d/gu, (digit) => signs[place][Number(digit)]!);
}

/**
 * What is added to a text, with raised or lowered digits in signs of their own where they follow a digit: the cents of a price, an
 * exponent, or the mark of a note. Joined as they are, they would be another number.
 */
export function withRaisedDigits(before: string, added: string, place: RaisedPlace | undefined): string {
  if (place === undefined || !/[\d⁰¹²³⁴-⁹₀-₉][.,]?$/u.test(before)) return added;
  return added.replace(leadingNumber, (number) => raisedNumber(number, place));
}
