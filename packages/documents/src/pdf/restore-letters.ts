import type { GrayImage } from '../image/gray-image.ts';
import type { Box } from '../page/box.ts';
import type { PageGeometry } from './page-geometry.ts';
import { renderPart } from './page-pictures.ts';
import type { Pdfium } from './file/pdfium.ts';
import type { PageCharacters } from './read-characters.ts';

/** PDFium compares a letter with so many letters before it. */
const comparedLetters = 7;
/** Pixels for one point, enough to tell a letter from another one on a usual page. */
const resolution = { scale: 4, maxPixels: 8_000_000 };
/** Mean difference of brightness, 0–255, of two drawings of the same letter. */
const maxDifference = 24;
const minContrast = 60;
/** Share of a letter's width by which the next one can overlap it. */
const maxOverlap = 0.5;
/** A page has few such letters; a hostile one has many. */
const maxRestored = 5_000;

interface Restored {
  /** The index that the letter gets. */
  at: number;
  /** The equal letter. */
  from: number;
  x0: number;
}

/**
 * The characters with those that PDFium dropped: it takes a letter for a shadow of an equal one that is nearer than a share of the
 * font's size, and in fonts of drawn letters this is more than a letter, so that `will` is `wil` and `11` is `1`. A letter is restored
 * where the page draws the same picture again and has no other letter.
 */
export function withDroppedLetters(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  characters: PageCharacters,
): PageCharacters {
  const { count, style, styles, x0, x1 } = characters;
  if (!styles.some(({ dropDistance }) => dropDistance > 0)) return characters;
  let picture: ((from: number, to: number, at: number) => Uint8Array) | undefined;
  const restored: Restored[] = [];
  for (let index = 0; index < count && restored.length < maxRestored; index += 1) {
    const own = style[index]!;
    const { dropDistance = 0, direction } = styles[own] ?? {};
    if (direction !== 'right' || dropDistance <= x1[index]! - x0[index]!) continue;
    const drawn = (picture ??= pictureOf(pdfium, page, geometry, characters));
    const isFree = (from: number, to: number): boolean =>
      index + 1 >= count || style[index + 1] !== own || x0[index + 1]! > from + (to - from) * (1 - maxOverlap);
    for (let end = x1[index]!; restored.length < maxRestored;) {
      const same = equalLetters(characters, index, end, dropDistance).find((at) => {
        const width = x1[at]! - x0[at]!;
        return isFree(end, end + width) && isSame(drawn(x0[at]!, x1[at]!, at), drawn(end, end + width, at));
      });
      if (same === undefined) break;
      restored.push({ at: index + 1, from: same, x0: end });
      end += x1[same]! - x0[same]!;
    }
  }
  return restored.length === 0 ? characters : insert(characters, restored);
}

/** What the page shows from one place to another in the line of a letter. */
function pictureOf(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  { styles, boxes, y0, y1 }: PageCharacters,
): (from: number, to: number, at: number) => Uint8Array {
  const part: Box = { x0: geometry.width, y0: geometry.height, x1: 0, y1: 0 };
  for (const [index, { dropDistance }] of styles.entries()) {
    if (dropDistance === 0) continue;
    const box = boxes[index]!;
    part.x0 = Math.max(0, Math.min(part.x0, box.x0));
    part.y0 = Math.max(0, Math.min(part.y0, box.y0));
    part.x1 = Math.min(geometry.width, Math.max(part.x1, box.x1 + dropDistance));
    part.y1 = Math.min(geometry.height, Math.max(part.y1, box.y1));
  }
  if (part.x1 <= part.x0 || part.y1 <= part.y0) return () => new Uint8Array();
  const { image, scale } = renderPart(pdfium, page, geometry, part, resolution);
  return (from, to, at) =>
    cut(
      image,
      (from - part.x0) * scale,
      (to - part.x0) * scale,
      (y0[at]! - part.y0) * scale,
      (y1[at]! - part.y0) * scale,
    );
}

/** The letters that PDFium could have taken for the one at `end`. */
function equalLetters({ style, x0, x1 }: PageCharacters, index: number, end: number, distance: number): number[] {
  const found: number[] = [];
  for (let at = index; at >= 0 && at > index - comparedLetters && style[at] === style[index]; at -= 1) {
    if (end - x0[at]! < distance && x1[at]! > x0[at]!) found.push(at);
  }
  return found;
}

function cut({ pixels, width, height }: GrayImage, x0: number, x1: number, y0: number, y1: number): Uint8Array {
  const [left, top] = [Math.round(x0), Math.max(0, Math.round(y0))];
  const [columns, bottom] = [Math.max(1, Math.round(x1 - x0)), Math.min(height, Math.round(y1))];
  const found = new Uint8Array(columns * Math.max(0, bottom - top));
  for (let y = top; y < bottom; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      found[(y - top) * columns + x] = left + x < width ? pixels[y * width + left + x]! : 255;
    }
  }
  return found;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length === 0 || one.length !== other.length) return false;
  let [sum, darkest, lightest] = [0, 255, 0];
  for (const [at, shade] of one.entries()) {
    sum += Math.abs(shade - other[at]!);
    darkest = Math.min(darkest, shade);
    lightest = Math.max(lightest, shade);
  }
  return lightest - darkest >= minContrast && sum <= one.length * maxDifference;
}

function insert(characters: PageCharacters, restored: readonly Restored[]): PageCharacters {
  const { count, latin } = characters;
  const order: { from: number; x0?: number }[] = [];
  let next = 0;
  for (let index = 0; index <= count; index += 1) {
    for (; next < restored.length && restored[next]!.at === index; next += 1) order.push(restored[next]!);
    if (index < count) order.push({ from: index });
  }
  const columnOf = <Column extends Uint32Array | Float32Array | Int32Array>(column: Column): Column => {
    const longer = new (column.constructor as new (length: number) => Column)(order.length);
    for (const [at, { from }] of order.entries()) longer[at] = column[from]!;
    return longer;
  };
  const mended = {
    ...characters,
    count: order.length,
    code: columnOf(characters.code),
    latin: order.map(({ from }) => latin[from]).join(''),
    x0: columnOf(characters.x0),
    y0: columnOf(characters.y0),
    x1: columnOf(characters.x1),
    y1: columnOf(characters.y1),
    style: columnOf(characters.style),
  };
  for (const [at, { from, x0 }] of order.entries()) {
    if (x0 === undefined) continue;
    mended.x0[at] = x0;
    mended.x1[at] = x0 + characters.x1[from]! - characters.x0[from]!;
  }
  return mended;
}
