import type { Box } from '../../page/box.ts';
import type { Letters, LetterStyle } from './letters.ts';
import { isSpace } from './script.ts';

/** In font sizes: a text object that is taller has letters below each other. */
const minVerticalHeight = 1.8;
/** In font sizes: the distance of two letters that follow each other downwards. */
const minStepDown = 0.4;
const maxStepDown = 4;
/** Share of the pairs of letters of a text object. */
const minVerticalShare = 0.7;

/** Gives the text objects of vertical writing, whose letters are upright below each other, their reading direction. */
export function turnVerticalWriting(letters: Letters & { boxes: readonly Box[] }): void {
  turnColumns(letters);
  turnTallObjects(letters);
}

function turnTallObjects({
  count,
  code,
  style,
  styles,
  boxes,
  x0,
  y0,
  x1,
  y1,
}: Letters & { boxes: readonly Box[] }): void {
  const isTall = boxes.map(
    (box, index) => styles[index]!.direction === 'right' && box.y1 - box.y0 > styles[index]!.size * minVerticalHeight,
  );
  if (!isTall.includes(true)) return;
  const pairs = new Uint32Array(styles.length);
  const down = new Uint32Array(styles.length);
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    const at = style[index]!;
    if (at < 0 || isTall[at] !== true || isSpace(code[index]!)) continue;
    const above = last;
    last = index;
    if (at !== style[above] || above === index) continue;
    const { size } = styles[at]!;
    const step = (y0[index]! + y1[index]! - y0[above]! - y1[above]!) / 2;
    const isBelow = x0[index]! < x1[above]! && x1[index]! > x0[above]!;
    pairs[at]! += 1;
    if (isBelow && step > size * minStepDown && step < size * maxStepDown) down[at]! += 1;
  }
  for (const [index, ofObject] of styles.entries()) {
    const steps = down[index] ?? 0;
    if (steps === 0 || steps < pairs[index]! * minVerticalShare) continue;
    turnDown(ofObject);
  }
  for (let index = 0; index < count; index += 1) {
    const ofObject = styles[style[index]!];
    // PDFium's box begins at the letter and reaches too far to the right.
    if (isTall[style[index]!] === true && ofObject?.direction === 'down')
      x1[index] = Math.min(x1[index]!, x0[index]! + ofObject.size);
  }
}

/** Letters that are text objects of their own and follow each other downwards, in font sizes: further apart, they are lines. */
const maxObjectStep = 1.1;
/** Fewer letters below each other are the first ones of lines. */
const minInColumn = 4;

/** Gives each letter of a column its reading direction where each is a text object of its own. */
function turnColumns({ count, code, style, styles, x0, y0 }: Letters): void {
  let last = -1;
  let column: number[] = [];
  const endColumn = (): void => {
    if (column.length >= minInColumn) for (const index of column) turnDown(styles[style[index]!]!);
    column = [];
  };
  for (let index = 0; index < count; index += 1) {
    const own = styles[style[index]!];
    // PDFium puts an end of a line between them.
    if (!own) continue;
    const isLetter = own.direction === 'right' && isEastAsian(code[index]!);
    const step = last === -1 ? 0 : (y0[index]! - y0[last]!) / own.size;
    const isAligned = last !== -1 && Math.abs(x0[index]! - x0[last]!) < own.size * maxObjectShift;
    const isBelow = isAligned && style[last] !== style[index] && step > minStepDown && step < maxObjectStep;
    if (!isLetter || !isBelow) endColumn();
    if (isLetter) column.push(index);
    last = index;
  }
  endColumn();
}

function turnDown(style: LetterStyle): void {
  style.direction = 'down';
  style.isUprightDown = true;
}

/** In font sizes: the letters of a column begin at the same place. */
const maxObjectShift = 0.1;

/** Whether a character is of a script that is also written downwards. */
function isEastAsian(character: number): boolean {
  return (character >= 0x2e80 && character <= 0x9fff) || (character >= 0xf900 && character <= 0xfaff);
}

/** Whether a space has no width and is in a column: PDFium takes narrow steps between its letters for spaces. */
export function isStepInColumn({ style, styles, x0, x1 }: Letters, index: number): boolean {
  return x0[index] === x1[index] && styles[style[index]!]?.isUprightDown === true;
}
