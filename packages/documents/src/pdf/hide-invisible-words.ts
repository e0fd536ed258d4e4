import type { Box } from '../page/box.ts';
import { noStyle, type PageCharacters } from './read-characters.ts';
import type { RenderedPage } from './render-page.ts';
import { isSpace } from './script.ts';
import type { TextStyle } from './text-style.ts';

/** Difference of a channel, 0–255. */
const minVisibleDifference = 40;
/** Share of background in a word's box; a printed line that crosses the word covers less. */
const minBackgroundShare = 0.15;
/** Share of a word's box that its letters cover. */
const minInkShare = 0.02;
/** Top and bottom of a box that are left out, in heights of the box. */
const lineMargin = 0.2;

/**
 * Hides the doubtful words that are invisible on the rendered page: white on white, under a box, on a layer that is
 * switched off. White on a dark background is visible.
 */
export function hideInvisibleWords(
  characters: PageCharacters,
  doubtful: Uint8Array,
  hidden: Uint8Array,
  rendered: RenderedPage,
): void {
  const { count, style, styles, code } = characters;
  let start = 0;
  while (start < count) {
    const styleIndex = style[start]!;
    let end = start + 1;
    if (styleIndex !== noStyle && doubtful[styleIndex] === 1 && !isSpace(code[start]!)) {
      while (end < count && style[end] === styleIndex && !isSpace(code[end]!)) end += 1;
      if (!isVisible(boxOf(characters, start, end), styles[styleIndex]!.color, rendered)) hidden.fill(1, start, end);
    }
    start = end;
  }
}

function boxOf({ x0, y0, x1, y1 }: PageCharacters, start: number, end: number): Box {
  const box: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let index = start; index < end; index += 1) {
    box.x0 = Math.min(box.x0, x0[index]!);
    box.y0 = Math.min(box.y0, y0[index]!);
    box.x1 = Math.max(box.x1, x1[index]!);
    box.y1 = Math.max(box.y1, y1[index]!);
  }
  return box;
}

/**
 * Whether some pixels of the box differ from the text's colour, as a background does, and some others are nearer to it,
 * as letters are. Thin letters have shades between the two.
 */
function isVisible(box: Box, [red, green, blue]: TextStyle['color'], rendered: RenderedPage): boolean {
  const { pixels, width, height, scale } = rendered;
  const firstColumn = Math.max(0, Math.floor(box.x0 * scale));
  const lastColumn = Math.min(width - 1, Math.ceil(box.x1 * scale));
  // Above and below the letters, the box of a line includes its surroundings.
  const margin = (box.y1 - box.y0) * lineMargin;
  const firstRow = Math.max(0, Math.floor((box.y0 + margin) * scale));
  const lastRow = Math.min(height - 1, Math.ceil((box.y1 - margin) * scale));
  const differences = new Uint32Array(256);
  let total = 0;
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      const at = (row * width + column) * 4;
      const difference = Math.max(
        Math.abs(pixels[at]! - blue),
        Math.abs(pixels[at + 1]! - green),
        Math.abs(pixels[at + 2]! - red),
      );
      differences[difference]! += 1;
      total += 1;
    }
  }
  let background = 255;
  for (
    let seen = differences[255]!;
    background > 0 && seen < total * minBackgroundShare;
    seen += differences[background]!
  ) {
    background -= 1;
  }
  if (background < minVisibleDifference) return false;
  const ink = differences.subarray(0, background - minVisibleDifference + 1).reduce((sum, count) => sum + count, 0);
  return ink >= total * minInkShare;
}
