import type { Rule } from '../layout/tables/rule.ts';
import type { GrayImage } from './gray-image.ts';

/** Pixels that are darker than the paper by this much are ink. */
const minInkContrast = 40;
/** Number of light pixels within a line: dust, and rows that the scanner missed. */
const maxBreak = 3;
/** In heights of a word: shorter lines are strokes of letters. */
const [minLevelLength, minUprightLength] = [2.5, 1.5];
/** In heights of a word: a thicker line is a band, and its edges are the lines. */
const maxLineThickness = 0.5;
/** Rows or columns of pixels between two pieces of one line. */
const maxPieceDistance = 2;
/**
 * Share of their length over which two pieces of one line are beside each other. It is small for level lines, which are long and
 * slightly askew. It is large for upright ones, so that a line through a band is no part of the band.
 */
const [minSharedLevel, minSharedUpright] = [0.3, 0.8];
/** A picture with more pieces or bands is a photograph. */
const maxPieces = 20_000;
const maxBands = 500;

/** A run of ink in one row or column of pixels. */
interface Piece {
  at: number;
  from: number;
  to: number;
}

/** The printed lines of a straight picture, and the edges of its dark bands. `wordHeight` is the usual height of its words. */
export function rulesOfImage(image: GrayImage, wordHeight: number): Rule[] {
  const ink = paperOf(image) - minInkContrast;
  const thickest = wordHeight * maxLineThickness;
  const level = strokesOf(levelPieces(image, ink, wordHeight * minLevelLength), minSharedLevel).map(
    ({ from, to, first, last }): Rule => ({ x0: from, x1: to, y0: first, y1: last + 1 }),
  );
  const upright = strokesOf(uprightPieces(image, ink, wordHeight * minUprightLength), minSharedUpright)
    .filter(({ first, last }) => last - first <= thickest)
    .map(({ from, to, first, last }): Rule => ({ y0: from, y1: to, x0: first, x1: last + 1 }));
  const thick = level.filter(({ y0, y1 }) => y1 - y0 > thickest);
  if (thick.length > maxBands) return [];
  const bands = wholeBands(thick);
  const lines = [...level.filter(({ y0, y1 }) => y1 - y0 <= thickest), ...upright];
  return [
    // Between the letters on a dark band, its ground is no line.
    ...lines.filter((rule) => !bands.some((band) => isWithin(rule, band, thickest))),
    ...bands.flatMap(({ x0, y0, x1, y1 }) => [
      { x0, x1, y0, y1: y0 + 1 },
      { x0, x1, y0: y1 - 1, y1 },
      { x0, x1: x0 + 1, y0, y1 },
      { x0: x1 - 1, x1, y0, y1 },
    ]),
  ];
}

/** Joins the pieces of bands, which letters split. */
function wholeBands(pieces: readonly Rule[]): Rule[] {
  const bands: Rule[] = [];
  for (const piece of pieces) {
    const joined = { ...piece };
    for (let at = bands.length - 1; at >= 0; at -= 1) {
      const other = bands[at]!;
      const touches =
        other.x0 < joined.x1 &&
        joined.x0 < other.x1 &&
        other.y0 - maxPieceDistance <= joined.y1 &&
        joined.y0 - maxPieceDistance <= other.y1;
      if (!touches) continue;
      joined.x0 = Math.min(joined.x0, other.x0);
      joined.y0 = Math.min(joined.y0, other.y0);
      joined.x1 = Math.max(joined.x1, other.x1);
      joined.y1 = Math.max(joined.y1, other.y1);
      bands.splice(at, 1);
    }
    bands.push(joined);
  }
  return bands;
}

function isWithin(rule: Rule, band: Rule, margin: number): boolean {
  return (
    rule.x0 >= band.x0 - margin &&
    rule.x1 <= band.x1 + margin &&
    rule.y0 >= band.y0 - margin &&
    rule.y1 <= band.y1 + margin
  );
}

/** Brightness of the paper: the median of the picture. */
function paperOf({ pixels }: GrayImage): number {
  const counts = new Uint32Array(256);
  for (const pixel of pixels) counts[pixel]! += 1;
  let seen = 0;
  return counts.findIndex((count) => (seen += count) * 2 >= pixels.length);
}

function levelPieces({ pixels, width, height }: GrayImage, ink: number, minLength: number): Piece[] {
  const pieces: Piece[] = [];
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let from = -1;
    let to = -1;
    for (let x = 0; x < width; x += 1) {
      if (pixels[row + x]! >= ink) continue;
      if (x - to > maxBreak + 1) {
        if (to - from >= minLength) pieces.push({ at: y, from, to: to + 1 });
        from = x;
      }
      to = x;
    }
    if (to - from >= minLength) pieces.push({ at: y, from, to: to + 1 });
    if (pieces.length > maxPieces) return [];
  }
  return pieces;
}

/** Reads the pixels row by row, as they are in memory. */
function uprightPieces({ pixels, width, height }: GrayImage, ink: number, minLength: number): Piece[] {
  const pieces: Piece[] = [];
  const from = new Int32Array(width).fill(-1);
  const to = new Int32Array(width).fill(-maxBreak - 2);
  const add = (x: number): void => {
    if (from[x]! >= 0 && to[x]! - from[x]! >= minLength) pieces.push({ at: x, from: from[x]!, to: to[x]! + 1 });
  };
  for (let y = 0, index = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, index += 1) {
      if (pixels[index]! >= ink) continue;
      if (y - to[x]! > maxBreak + 1) {
        add(x);
        from[x] = y;
      }
      to[x] = y;
    }
    if (pieces.length > maxPieces) return [];
  }
  for (let x = 0; x < width; x += 1) add(x);
  return pieces.sort((a, b) => a.at - b.at || a.from - b.from);
}

interface Stroke {
  from: number;
  to: number;
  first: number;
  last: number;
  lastPiece: Piece;
}

/** Joins pieces that are beside each other and about equally long. */
function strokesOf(pieces: readonly Piece[], minShared: number): Stroke[] {
  const done: Stroke[] = [];
  let open: Stroke[] = [];
  let current = -1;
  for (const piece of pieces) {
    const { at, from, to } = piece;
    if (at !== current) {
      current = at;
      done.push(...open.filter((stroke) => at - stroke.last > maxPieceDistance));
      open = open.filter((stroke) => at - stroke.last <= maxPieceDistance);
    }
    const beside = open.find(({ lastPiece, last }) => last < at && sharedOf(lastPiece, piece) >= minShared);
    if (beside) {
      beside.from = Math.min(beside.from, from);
      beside.to = Math.max(beside.to, to);
      beside.last = at;
      beside.lastPiece = piece;
    } else open.push({ from, to, first: at, last: at, lastPiece: piece });
  }
  return [...done, ...open];
}

/** Share of the longer piece that is beside the other. */
function sharedOf(a: Piece, b: Piece): number {
  return (Math.min(a.to, b.to) - Math.max(a.from, b.from)) / Math.max(a.to - a.from, b.to - b.from);
}
