import type { GrayImage } from '../../image/gray-image.ts';
import type { Box } from '../../page/box.ts';
import type { Pdfium } from '../file/pdfium.ts';

/** The outline of a glyph, filled, in a square of cells. */
export interface GlyphShape {
  /** The share of each cell that is filled, row by row from the top left. */
  cells: Float32Array;
  /** The sum of the cells. */
  filled: number;
  /** Logarithm of width by height. */
  aspect: number;
  /** The lower edge in font sizes; the baseline is 0. Undefined if it is not known. */
  bottom: number | undefined;
}

/** Cells of a row and of a column. */
const columns = 16;
/** An ornament has more. */
const maxSegments = 600;
const curvePieces = 5;
/** The size that outlines are read in, in units of PDFium. */
const readingSize = 1000;
const segmentTypes = { line: 0, curve: 1, move: 2 };

/** x and y of its points in turns. */
export type Contour = number[];

/**
 * The outline that a font draws for a character, as contours; undefined if it has none. `scratch` is 8 bytes of PDFium's memory.
 */
export function outlineOf(pdfium: Pdfium, font: number, code: number, scratch: number): Contour[] | undefined {
  const { call } = pdfium;
  const path = call.FPDFFont_GetGlyphPath(font, code, readingSize);
  const count = path === 0 ? 0 : call.FPDFGlyphPath_CountGlyphSegments(path);
  if (count <= 0 || count > maxSegments) return undefined;
  const floats = pdfium.floats();
  const contours: Contour[] = [];
  let contour: Contour = [];
  let curve: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const segment = call.FPDFGlyphPath_GetGlyphPathSegment(path, index);
    call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const [x, y] = [floats[scratch / 4]!, floats[scratch / 4 + 1]!];
    const type = call.FPDFPathSegment_GetType(segment);
    if (type === segmentTypes.move) {
      contour = [x, y];
      contours.push(contour);
      curve = [];
    } else if (type === segmentTypes.line) {
      contour.push(x, y);
    } else if (curve.push(x, y) === 6) {
      addCurve(contour, curve);
      curve = [];
    }
  }
  return contours;
}

function addCurve(contour: Contour, [ax, ay, bx, by, x1, y1]: readonly number[]): void {
  const [x0, y0] = [contour.at(-2)!, contour.at(-1)!];
  for (let piece = 1; piece <= curvePieces; piece += 1) {
    const t = piece / curvePieces;
    const u = 1 - t;
    const [first, second, third, fourth] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    contour.push(
      first * x0 + second * ax! + third * bx! + fourth * x1!,
      first * y0 + second * ay! + third * by! + fourth * y1!,
    );
  }
}

/** The contours filled as fonts are: where they wind around a point. Undefined if there is nothing to fill. */
export function shapeOf(contours: readonly Contour[]): GlyphShape | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const contour of contours) {
    for (let at = 0; at < contour.length; at += 2) {
      left = Math.min(left, contour[at]!);
      right = Math.max(right, contour[at]!);
      bottom = Math.min(bottom, contour[at + 1]!);
      top = Math.max(top, contour[at + 1]!);
    }
  }
  const [width, height] = [right - left, top - bottom];
  if (!(width > 0 && height > 0)) return undefined;
  const cells = new Float32Array(columns * columns);
  for (let line = 0; line < columns; line += 1) {
    const crossings = crossingsAt(contours, top - ((line + 0.5) / columns) * height);
    const row = line * columns;
    let winding = 0;
    for (let at = 0; at + 1 < crossings.length; at += 1) {
      winding += crossings[at]!.turn;
      if (winding === 0) continue;
      const from = ((crossings[at]!.x - left) / width) * columns;
      const to = ((crossings[at + 1]!.x - left) / width) * columns;
      for (let column = Math.floor(from); column < Math.min(columns, to); column += 1) {
        cells[row + column]! += Math.min(to, column + 1) - Math.max(from, column);
      }
    }
  }
  const filled = cells.reduce((sum, cell) => sum + cell, 0);
  return { cells, filled, aspect: Math.log(width / height), bottom: bottom / readingSize };
}

/** Where contours cross a level line, from the left. */
function crossingsAt(contours: readonly Contour[], y: number): { x: number; turn: number }[] {
  const found: { x: number; turn: number }[] = [];
  for (const contour of contours) {
    for (let at = 0; at < contour.length; at += 2) {
      const next = at + 2 < contour.length ? at + 2 : 0;
      const [x0, y0, x1, y1] = [contour[at]!, contour[at + 1]!, contour[next]!, contour[next + 1]!];
      if (y0 <= y === y1 <= y) continue;
      found.push({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), turn: y1 > y0 ? 1 : -1 });
    }
  }
  return found.sort((one, other) => one.x - other.x);
}

/** Difference of brightness, 0–255, between a letter and the paper. */
const minContrast = 60;
/** Pixels: a smaller letter has no clear shape. */
const minPixels = 7;

/** The shape of the letter in a part of a picture. Undefined if no clear letter is there. */
export function shapeInPicture({ pixels, width, height }: GrayImage, part: Box): GlyphShape | undefined {
  const [left, top] = [Math.max(0, Math.round(part.x0)), Math.max(0, Math.round(part.y0))];
  const [right, bottom] = [Math.min(width, Math.round(part.x1)), Math.min(height, Math.round(part.y1))];
  let [darkest, lightest, sum] = [255, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const shade = pixels[y * width + x]!;
      darkest = Math.min(darkest, shade);
      lightest = Math.max(lightest, shade);
      sum += shade;
    }
  }
  const middle = (darkest + lightest) / 2;
  if (lightest - darkest < minContrast) return undefined;
  const isDark = sum / ((right - left) * (bottom - top)) > middle;
  const isInk = (x: number, y: number): boolean => pixels[y * width + x]! < middle === isDark;
  const ink: Box = { x0: right, y0: bottom, x1: left, y1: top };
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      if (!isInk(x, y)) continue;
      ink.x0 = Math.min(ink.x0, x);
      ink.x1 = Math.max(ink.x1, x + 1);
      ink.y0 = Math.min(ink.y0, y);
      ink.y1 = Math.max(ink.y1, y + 1);
    }
  }
  const [columnWidth, rowHeight] = [(ink.x1 - ink.x0) / columns, (ink.y1 - ink.y0) / columns];
  if (ink.y1 - ink.y0 < minPixels) return undefined;
  const cells = new Float32Array(columns * columns);
  let filled = 0;
  for (let at = 0; at < cells.length; at += 1) {
    const [x, y] = [ink.x0 + (at % columns) * columnWidth, ink.y0 + Math.floor(at / columns) * rowHeight];
    // Four points of each cell.
    for (const [right, down] of quarters) {
      if (isInk(Math.floor(x + right * columnWidth), Math.floor(y + down * rowHeight)))
        cells[at]! += 1 / quarters.length;
    }
    filled += cells[at]!;
  }
  return { cells, filled, aspect: Math.log((ink.x1 - ink.x0) / (ink.y1 - ink.y0)), bottom: undefined };
}

const quarters = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

/** What a difference of 1 in proportions, or in height above the baseline, takes away, and at most. */
const [aspectWeight, maxAspectLoss] = [0.25, 0.5];
const [bottomWeight, maxBottomLoss] = [0.5, 0.3];

/** How alike two shapes are: 1 for equal ones; different letters of one font have about a half. 0 if it is certainly below `least`. */
export function likeness(one: GlyphShape, other: GlyphShape, least = 0): number {
  const lower = Math.abs((one.bottom ?? other.bottom ?? 0) - (other.bottom ?? one.bottom ?? 0));
  const loss =
    Math.min(maxAspectLoss, Math.abs(one.aspect - other.aspect) * aspectWeight) +
    Math.min(maxBottomLoss, lower * bottomWeight);
  // What both fill is at most the smaller of the two, and what either fills at least the larger.
  if (Math.min(one.filled, other.filled) < (least + loss) * Math.max(one.filled, other.filled)) return 0;
  let [both, either] = [0, 0];
  for (let at = 0; at < one.cells.length; at += 1) {
    const [a, b] = [one.cells[at]!, other.cells[at]!];
    if (a < b) {
      both += a;
      either += b;
    } else {
      both += b;
      either += a;
    }
  }
  return both / either - loss;
}
