import type { Letters } from './letters.ts';
import { isSpace } from './script.ts';

/** In font sizes, and in widths of the narrower letter. */
const maxDistance = { size: 0.12, width: 0.4 };
const maxSizeRatio = 1.05;
/** Points: the sides of the squares by which letters are looked up. */
const square = 12;
/** Squares across a page; what is beyond shares them, which costs time alone. */
const squares = 1_024;
const codes = 0x110000;

/** Marks a letter that is drawn again, among the hidden ones. */
export const isRepeated = 2;

/**
 * The hidden letters, and those that are drawn again at the place of another one, as browsers print letters with an outline: the
 * outline is a letter of its own, in a font of drawn letters, and larger. PDFium drops such a letter only where both have one font. The
 * first letter stays, with the smaller box of both.
 *
 * @param sharesPlace 1 for each style whose text shares its place with other text.
 */
export function withRepeats(
  { count, code, style, styles, x0, y0, x1, y1 }: Letters,
  hidden: Uint8Array,
  sharesPlace: Uint8Array,
): Uint8Array {
  if (!sharesPlace.includes(1)) return hidden;
  const found = hidden.slice();
  const seen = new Map<number, number[]>();
  const keyOf = (letter: number, column: number, row: number): number =>
    letter + codes * ((column & (squares - 1)) + squares * (row & (squares - 1)));
  for (let index = 0; index < count; index += 1) {
    const own = style[index]!;
    if (own < 0 || hidden[index] === 1 || sharesPlace[own] !== 1 || isSpace(code[index]!)) continue;
    const [x, y] = [(x0[index]! + x1[index]!) / 2, (y0[index]! + y1[index]!) / 2];
    const [column, row] = [Math.floor(x / square), Math.floor(y / square)];
    const isSame = (other: number): boolean => {
      const otherStyle = style[other]!;
      if (otherStyle === own || styles[otherStyle]!.direction !== styles[own]!.direction) return false;
      const [size, otherSize] = [styles[own]!.size, styles[otherStyle]!.size];
      if (Math.max(size, otherSize) > Math.min(size, otherSize) * maxSizeRatio) return false;
      const width = Math.min(x1[index]! - x0[index]!, x1[other]! - x0[other]!);
      const distance = Math.hypot(x - (x0[other]! + x1[other]!) / 2, y - (y0[other]! + y1[other]!) / 2);
      return distance < Math.min(size * maxDistance.size, width * maxDistance.width);
    };
    let first: number | undefined;
    for (let at = 0; at < 9 && first === undefined; at += 1) {
      first = seen.get(keyOf(code[index]!, column + (at % 3) - 1, row + Math.floor(at / 3) - 1))?.find(isSame);
    }
    if (first === undefined) {
      const key = keyOf(code[index]!, column, row);
      const letters = seen.get(key);
      if (letters) letters.push(index);
      else seen.set(key, [index]);
      continue;
    }
    found[index] = isRepeated;
    if (x1[index]! - x0[index]! >= x1[first]! - x0[first]!) continue;
    for (const side of [x0, y0, x1, y1]) side[first] = side[index]!;
  }
  return found;
}
