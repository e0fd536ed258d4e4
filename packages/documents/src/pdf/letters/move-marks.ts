import type { Letters } from './letters.ts';
import { isCombining, isSpace } from './script.ts';

/** A mark is returned at most so many signs after or before its letter. */
const maxSigns = 30;
const questionMark = 0x3f;

/**
 * Moves marks behind the letters that they are drawn at. PDFium returns the marks of some files after the next signs, since each is a
 * text object of its own or the script runs from right to left.
 */
export function moveMarks(letters: Letters): void {
  const { count, code, style } = letters;
  let isMoved = false;
  for (let index = 0; index < count; index += 1) {
    if (!isCombining(code[index]!) || style[index]! < 0) continue;
    const letter = letterOf(letters, index);
    if (letter === undefined) continue;
    moveBehind(letters, index, letter);
    isMoved = true;
  }
  if (isMoved) letters.latin = Buffer.from(code.map((one) => (one < 0x100 ? one : questionMark))).toString('latin1');
}

/** The letter that a mark is drawn at, if it is not the one before the mark. */
function letterOf(letters: Letters, mark: number): number | undefined {
  const { count, code, style } = letters;
  let before = mark - 1;
  while (before >= 0 && before > mark - maxSigns && isCombining(code[before]!)) before -= 1;
  if (before >= 0 && isAt(letters, mark, before)) return undefined;
  for (let distance = 1; distance <= maxSigns; distance += 1) {
    for (const at of [before + 1 - distance, mark + distance]) {
      if (at < 0 || at >= count || style[at]! < 0) continue;
      const character = code[at]!;
      if (isSpace(character) || isCombining(character) || !isLetter(character)) continue;
      if (isAt(letters, mark, at)) return at;
    }
  }
  return undefined;
}

const letter = /^\p{L}$/u;

function isLetter(character: number): boolean {
  return character <= 0x10ffff && letter.test(String.fromCodePoint(character));
}

function isAt({ x0, y0, x1, y1 }: Letters, mark: number, at: number): boolean {
  const middle = (x0[mark]! + x1[mark]!) / 2;
  return middle > x0[at]! && middle < x1[at]! && y0[mark]! < y1[at]! && y1[mark]! > y0[at]!;
}

/** Moves a character behind another one and behind the marks that this has. */
function moveBehind(letters: Letters, from: number, letterAt: number): void {
  const { count, code, x0, y0, x1, y1, style } = letters;
  let to = letterAt + 1;
  while (
    to < Math.min(count, letterAt + maxSigns) &&
    to !== from &&
    isCombining(code[to]!) &&
    isAt(letters, to, letterAt)
  )
    to += 1;
  for (const column of [code, x0, y0, x1, y1, style]) {
    const moved = column[from]!;
    if (to <= from) column.copyWithin(to + 1, to, from);
    else column.copyWithin(from, from + 1, to);
    column[to <= from ? to : to - 1] = moved;
  }
}
