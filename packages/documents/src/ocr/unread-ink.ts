import type { GrayImage } from '../image/gray-image.ts';
import { findLetters } from '../image/letter-height.ts';
import type { Box } from '../page/box.ts';

/** Letters of a line have about the same height, */
const maxHeightRatio = 2;
/** and follow each other within this many heights. */
const maxDistance = 1.2;
/** Share of the lower letter's height. */
const minOverlap = 0.5;
/** A letter alone is a stain; fewer neighbours are a part of a drawing. */
const minInRow = 12;
/** More components than this are a texture, which no one reads. */
const maxLetters = 20_000;

/** The marks of a picture that look like letters of a line, and are in no word. In pixels of the picture. */
export interface UnreadInk {
  /** Undefined if there are too few. */
  box: Box | undefined;
  /** Pixels of the lines that they stand in. */
  area: number;
}

/** Finds what looks like text in a straight picture and is not covered by `words`. */
export function unreadInk(image: GrayImage, words: readonly Box[]): UnreadInk {
  const nothing: UnreadInk = { box: undefined, area: 0 };
  const letters = findLetters(image);
  if (letters.length > maxLetters) return nothing;
  const left = inRows(letters.filter((letter) => !words.some((word) => isWithin(letter, word))));
  if (left.length < minInRow) return nothing;
  const box: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  let area = 0;
  for (const { x0, y0, x1, y1 } of left) {
    box.x0 = Math.min(box.x0, x0);
    box.y0 = Math.min(box.y0, y0);
    box.x1 = Math.max(box.x1, x1);
    box.y1 = Math.max(box.y1, y1);
    // A letter takes the space to the next one and to the next line.
    area += (x1 - x0 + (y1 - y0) * 0.3) * (y1 - y0) * 2;
  }
  return { box, area };
}

function isWithin({ x0, y0, x1, y1 }: Box, word: Box): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= word.x0 && x <= word.x1 && y >= word.y0 && y <= word.y1;
}

/** The letters that have a neighbour in their line. */
function inRows(letters: Box[]): Box[] {
  const sorted = letters.toSorted((one, other) => one.x0 - other.x0);
  const found = new Set<Box>();
  for (const [index, letter] of sorted.entries()) {
    const height = letter.y1 - letter.y0;
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next]!;
      if (other.x0 > letter.x1 + height * maxDistance) break;
      const otherHeight = other.y1 - other.y0;
      const overlap = Math.min(letter.y1, other.y1) - Math.max(letter.y0, other.y0);
      const isLine =
        Math.max(height, otherHeight) <= Math.min(height, otherHeight) * maxHeightRatio &&
        overlap >= Math.min(height, otherHeight) * minOverlap;
      if (isLine) found.add(letter).add(other);
    }
  }
  return [...found];
}
