import type { Rule } from '../layout/tables/rule.ts';
import type { GrayImage } from './gray-image.ts';

/** Pixels darker than the paper by so much are ink of a line, however thin it was printed. */
const DARKER = 40;
/** Light pixels within a line that do not end it: dust, and rows that the scanner missed. */
const MAX_BREAK = 3;
/** In heights of a word: shorter lines are strokes of letters. */
const [SHORTEST_LEVEL, SHORTEST_UPRIGHT] = [2.5, 1.5];
/** In heights of a word: thicker than this is a band, whose edges are the lines. */
const THICKEST = 0.5;
/** Rows or columns of pixels between two pieces of one line. */
const MAX_APART = 2;
/**
 * Share of their length that two pieces of one line have beside each other. Level lines are long and lie a little askew; an
 * upright line that goes through a band is not a part of the band.
 */
const [SHARED_LEVEL, SHARED_UPRIGHT] = [0.3, 0.8];
/** More pieces than this are a photograph. */
const MAX_PIECES = 20_000;
const MAX_BANDS = 500;

/** A run of ink in one row or column of pixels. */
interface Piece {
  at: number;
  from: number;
  to: number;
}

/** The printed lines of a straight picture, and the edges of its dark bands. `wordHeight` is the usual height of its words. */
export function rulesOfPicture(image: GrayImage, wordHeight: number): Rule[] {
  const ink = paperOf(image) - DARKER;
  const thickest = wordHeight * THICKEST;
  const level = strokesOf(levelPieces(image, ink, wordHeight * SHORTEST_LEVEL), SHARED_LEVEL).map(
    ({ from, to, first, last }): Rule => ({ x0: from, x1: to, y0: first, y1: last + 1 }),
  );
  const upright = strokesOf(uprightPieces(image, ink, wordHeight * SHORTEST_UPRIGHT), SHARED_UPRIGHT)
    .filter(({ first, last }) => last - first <= thickest)
    .map(({ from, to, first, last }): Rule => ({ y0: from, y1: to, x0: first, x1: last + 1 }));
  const thick = level.filter(({ y0, y1 }) => y1 - y0 > thickest);
  if (thick.length > MAX_BANDS) return [];
  const bands = wholeBands(thick);
  const lines = [...level.filter(({ y0, y1 }) => y1 - y0 <= thickest), ...upright];
  return [
    // Between the letters on a dark band its ground is no line.
    ...lines.filter((rule) => !bands.some((band) => isWithin(rule, band, thickest))),
    ...bands.flatMap(({ x0, y0, x1, y1 }) => [
      { x0, x1, y0, y1: y0 + 1 },
      { x0, x1, y0: y1 - 1, y1 },
      { x0, x1: x0 + 1, y0, y1 },
      { x0: x1 - 1, x1, y0, y1 },
    ]),
  ];
}

/** Letters part a band into pieces that touch each other. */
function wholeBands(pieces: readonly Rule[]): Rule[] {
  const whole: Rule[] = [];
  for (const piece of pieces) {
    const joined = { ...piece };
    for (let at = whole.length - 1; at >= 0; at -= 1) {
      const other = whole[at]!;
      const touches =
        other.x0 < joined.x1 &&
        joined.x0 < other.x1 &&
        other.y0 - MAX_APART <= joined.y1 &&
        joined.y0 - MAX_APART <= other.y1;
      if (!touches) continue;
      joined.x0 = Math.min(joined.x0, other.x0);
      joined.y0 = Math.min(joined.y0, other.y0);
      joined.x1 = Math.max(joined.x1, other.x1);
      joined.y1 = Math.max(joined.y1, other.y1);
      whole.splice(at, 1);
    }
    whole.push(joined);
  }
  return whole;
}

function isWithin(rule: Rule, band: Rule, margin: number): boolean {
  return (
    rule.x0 >= band.x0 - margin &&
    rule.x1 <= band.x1 + margin &&
    rule.y0 >= band.y0 - margin &&
    rule.y1 <= band.y1 + margin
  );
}

/** Brightness of the paper: the usual one. */
function paperOf({ pixels }: GrayImage): number {
  const counts = new Uint32Array(256);
  for (const pixel of pixels) counts[pixel]! += 1;
  let seen = 0;
  return counts.findIndex((count) => (seen += count) * 2 >= pixels.length);
}

function levelPieces({ pixels, width, height }: GrayImage, ink: number, shortest: number): Piece[] {
  const pieces: Piece[] = [];
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let from = -1;
    let to = -1;
    for (let x = 0; x < width; x += 1) {
      if (pixels[row + x]! >= ink) continue;
      if (x - to > MAX_BREAK + 1) {
        if (to - from >= shortest) pieces.push({ at: y, from, to: to + 1 });
        from = x;
      }
      to = x;
    }
    if (to - from >= shortest) pieces.push({ at: y, from, to: to + 1 });
    if (pieces.length > MAX_PIECES) return [];
  }
  return pieces;
}

/** Row by row, as the pixels lie in memory. */
function uprightPieces({ pixels, width, height }: GrayImage, ink: number, shortest: number): Piece[] {
  const pieces: Piece[] = [];
  const from = new Int32Array(width).fill(-1);
  const to = new Int32Array(width).fill(-MAX_BREAK - 2);
  const add = (x: number): void => {
    if (from[x]! >= 0 && to[x]! - from[x]! >= shortest) pieces.push({ at: x, from: from[x]!, to: to[x]! + 1 });
  };
  for (let y = 0, index = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, index += 1) {
      if (pixels[index]! >= ink) continue;
      if (y - to[x]! > MAX_BREAK + 1) {
        add(x);
        from[x] = y;
      }
      to[x] = y;
    }
    if (pieces.length > MAX_PIECES) return [];
  }
  for (let x = 0; x < width; x += 1) add(x);
  return pieces.sort((a, b) => a.at - b.at || a.from - b.from);
}

interface Stroke {
  from: number;
  to: number;
  first: number;
  last: number;
  /** Ends of its last piece. */
  end: Piece;
}

/** Joins pieces that lie beside each other and are about as long. */
function strokesOf(pieces: readonly Piece[], shared: number): Stroke[] {
  const done: Stroke[] = [];
  let open: Stroke[] = [];
  let current = -1;
  for (const piece of pieces) {
    const { at, from, to } = piece;
    if (at !== current) {
      current = at;
      done.push(...open.filter((stroke) => at - stroke.last > MAX_APART));
      open = open.filter((stroke) => at - stroke.last <= MAX_APART);
    }
    const beside = open.find(({ end, last }) => last < at && sharedOf(end, piece) >= shared);
    if (beside) {
      beside.from = Math.min(beside.from, from);
      beside.to = Math.max(beside.to, to);
      beside.last = at;
      beside.end = piece;
    } else open.push({ from, to, first: at, last: at, end: piece });
  }
  return [...done, ...open];
}

/** Share of the longer one that both have. */
function sharedOf(a: Piece, b: Piece): number {
  return (Math.min(a.to, b.to) - Math.max(a.from, b.from)) / Math.max(a.to - a.from, b.to - b.from);
}
