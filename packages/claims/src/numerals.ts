const decimalDigit = /\p{Nd}/u;
const foreignDigit = /[\p{Nd}--[0-9]]/gv;

/** A text with its digits of other scripts, such as `７` and `٧`, as `7`. It keeps its length. */
export function withAsciiDigits(text: string): string {
  // Digits of two code units are those of formulas, which no value has.
  return text.replaceAll(foreignDigit, (digit) => (digit.length === 1 ? String(valueOf(digit.charCodeAt(0))) : digit));
}

/** The digits of a script follow each other, from zero. */
function valueOf(code: number): number {
  let zero = code;
  while (code - zero < 9 && decimalDigit.test(String.fromCharCode(zero - 1))) zero -= 1;
  return code - zero;
}

/**
 * A number that is written in signs which no value is compared with: `𝟳`, `70⁵`, `70½`, `⑦`. Readers take them for a number.
 * Units such as m² and the numbers of lists are none.
 */
export function otherNumeralIn(text: string): string | undefined {
  return /[\p{Nd}--[0-9]]+|\d[\d.,]*\s?[\p{No}\p{Nl}]+|(?<=\S\s)[[\p{No}\p{Nl}]--[⁰¹²³⁴-⁹₀-₉]]+/v.exec(text)?.[0];
}
