import type { Box } from '../../page/box.ts';
import type { Letters } from './letters.ts';
import { isUnmapped } from './script.ts';

/** Fewer signs are pictures, as of a telephone; so is one sign several times, as stars and dots that lead to a number. */
const [minSigns, minKinds] = [3, 2];
/** Between two signs of a word, in font sizes. */
const maxGap = 0.4;

/** The places of visible words of which a font does not say a single letter. */
export function unknownWords({ count, code, style, styles, ...places }: Letters, hidden: Uint8Array): Box[] {
  const found: Box[] = [];
  let word: { letters: Box[]; kinds: Set<number> } = { letters: [], kinds: new Set() };
  for (let index = 0; index <= count; index += 1) {
    const isSign = index < count && style[index]! >= 0 && hidden[index] === 0 && isUnmapped(code[index]!);
    const letter = isSign ? boxAt(places, index) : undefined;
    const last = word.letters.at(-1);
    if (last && !(letter && isNear(last, letter, styles[style[index]!]!.size))) {
      if (word.letters.length >= minSigns && word.kinds.size >= minKinds) found.push(boxAround(word.letters));
      word = { letters: [], kinds: new Set() };
    }
    if (!letter) continue;
    word.letters.push(letter);
    word.kinds.add(code[index]!);
  }
  return found;
}

function boxAround(boxes: readonly Box[]): Box {
  const [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  return boxes.reduce(
    (around, box) => ({
      x0: Math.min(around.x0, box.x0),
      y0: Math.min(around.y0, box.y0),
      x1: Math.max(around.x1, box.x1),
      y1: Math.max(around.y1, box.y1),
    }),
    { x0, y0, x1, y1 },
  );
}

function boxAt({ x0, y0, x1, y1 }: Pick<Letters, keyof Box>, index: number): Box {
  return { x0: x0[index]!, y0: y0[index]!, x1: x1[index]!, y1: y1[index]! };
}

function isNear(one: Box, other: Box, size: number): boolean {
  const across = Math.max(one.x0, other.x0) - Math.min(one.x1, other.x1);
  const down = Math.max(one.y0, other.y0) - Math.min(one.y1, other.y1);
  return Math.max(across, down) <= size * maxGap;
}
