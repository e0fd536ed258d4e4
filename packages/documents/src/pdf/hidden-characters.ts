import type { Box } from '../page/box.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { PageSurfaces, Surface } from './page-surfaces.ts';
import { noStyle, type PageCharacters } from './read-characters.ts';
import { isSpace } from './letters/script.ts';
import type { TextStyle } from './text-style.ts';

/** The visibility of each character before pixels are compared. */
export interface Visibility {
  /** 1 for each hidden character. */
  hidden: Uint8Array;
  /** 1 for each style whose visibility depends on its surroundings. */
  doubtful: Uint8Array;
  /** 1 for each style whose text shares its place with other text. */
  sharesPlace: Uint8Array;
}

/** Font size in points. */
export const minVisibleSize = 1;
/** Alpha and channels are 0–255. */
const minVisibleAlpha = 13;
const minWhiteChannel = 240;
/** Difference of a channel between text and background. */
const minVisibleDifference = 40;
/** Share of the smaller box. The boxes of lines that follow each other closely overlap a little. */
const minOverlap = 0.3;
/** Share of the height of a line: the boxes of letters are larger than the letters. */
const maxBeyond = 0.5;
/** With more comparisons of styles and surfaces, comparing pixels is cheaper. */
const maxComparisons = 500_000;

/**
 * Finds hidden text, which must not reach a model, because it can contain injected instructions. This includes the
 * invisible text that OCR programs write over a scan: it can differ from the scan, so the scan itself is read.
 */
export function judgeVisibility(
  characters: PageCharacters,
  surfaces: PageSurfaces,
  geometry: PageGeometry,
): Visibility {
  const { count, style, styles, boxes, code, x0, y0, x1, y1 } = characters;
  const hidden = new Uint8Array(count);
  const hiddenStyle = judgeStyles(characters);
  const visibility: Visibility = { hidden, ...findDoubtful(styles, boxes, surfaces) };
  const isAllOnPage = boxes.every(
    (box) => box.x0 >= 0 && box.y0 >= 0 && box.x1 <= geometry.width && box.y1 <= geometry.height,
  );
  if (isAllOnPage && !hiddenStyle.includes(1)) return visibility;
  for (let index = 0; index < count; index += 1) {
    const styleIndex = style[index]!;
    if (styleIndex === noStyle || isSpace(code[index]!)) continue;
    const x = (x0[index]! + x1[index]!) / 2;
    const y = (y0[index]! + y1[index]!) / 2;
    const isOnPage = x >= 0 && y >= 0 && x <= geometry.width && y <= geometry.height;
    if (hiddenStyle[styleIndex] === 1 || !isOnPage) hidden[index] = 1;
  }
  return visibility;
}

function judgeStyles({ styles }: PageCharacters): Uint8Array {
  return Uint8Array.from(styles, ({ paint, size, color, isNarrow }) =>
    size < minVisibleSize || isNarrow || paint === 'none' || color[3] < minVisibleAlpha ? 1 : 0,
  );
}

function findDoubtful(
  styles: readonly TextStyle[],
  boxes: readonly Box[],
  found: PageSurfaces,
): Pick<Visibility, 'doubtful' | 'sharesPlace'> {
  const { surfaces, orderOfText, layeredText, blendedText, clipOfText } = found;
  const isCheap = styles.length * surfaces.length <= maxComparisons;
  const sharesPlace = isCheap ? findSharedPlaces(boxes) : undefined;
  const doubtful = Uint8Array.from(styles, ({ object, color, paint, mayBeBlank }, index) => {
    if (paint === 'none') return 0;
    if (mayBeBlank || !sharesPlace || sharesPlace[index] === 1) return 1;
    const isWhite = Math.min(color[0], color[1], color[2]) >= minWhiteChannel;
    if (isWhite || layeredText.has(object) || blendedText.has(object)) return 1;
    const box = boxes[index]!;
    const clip = clipOfText.get(object);
    if (clip && mightCut(clip, box)) return 1;
    const order = orderOfText.get(object) ?? 0;
    return surfaces.some((surface) => mightHide(surface, box, order, color)) ? 1 : 0;
  });
  return { doubtful, sharesPlace: sharesPlace ?? new Uint8Array(styles.length) };
}

/** 1 for each text object that shares its place with another one. Undefined if too many have to be compared. */
function findSharedPlaces(boxes: readonly Box[]): Uint8Array | undefined {
  const found = new Uint8Array(boxes.length);
  const order = [...boxes.keys()].sort((a, b) => boxes[a]!.y0 - boxes[b]!.y0);
  let comparisons = 0;
  for (const [position, index] of order.entries()) {
    const box = boxes[index]!;
    for (let next = position + 1; next < order.length; next += 1) {
      const other = boxes[order[next]!]!;
      if (other.y0 >= box.y1) break;
      comparisons += 1;
      if (comparisons > maxComparisons) return undefined;
      if (other.x0 >= box.x1 || other.x1 <= box.x0) continue;
      const shared =
        (Math.min(box.x1, other.x1) - Math.max(box.x0, other.x0)) * (Math.min(box.y1, other.y1) - other.y0);
      if (shared > minOverlap * Math.min(areaOf(box), areaOf(other))) found[index] = found[order[next]!] = 1;
    }
  }
  return found;
}

function areaOf({ x0, y0, x1, y1 }: Box): number {
  return (x1 - x0) * (y1 - y0);
}

/** Whether a surface is painted over the text, or under it in the same colour. */
function mightHide(surface: Surface, text: Box, order: number, color: TextStyle['color']): boolean {
  if (surface.x0 > text.x1 || surface.x1 < text.x0 || surface.y0 > text.y1 || surface.y1 < text.y0) return false;
  if (surface.order > order) return true;
  if (surface.order === order) return surface.color === undefined;
  const under = surface.color;
  return (
    under !== undefined && under.every((channel, index) => Math.abs(channel - color[index]!) < minVisibleDifference)
  );
}

/** Whether a clip can cut a text off, at least in part. */
function mightCut(clip: Box, text: Box): boolean {
  const beyond = Math.max(clip.x0 - text.x0, clip.y0 - text.y0, text.x1 - clip.x1, text.y1 - clip.y1);
  return beyond > maxBeyond * Math.min(text.x1 - text.x0, text.y1 - text.y0);
}
