import type { Pdfium } from '../file/pdfium.ts';

/** The outline of a glyph, filled, in a square of cells. */
export interface GlyphShape {
  /** The share of each cell that is filled, row by row from the top left. */
  cells: Float32Array;
  /** The sum of the cells. */
  filled: number;
  /** Logarithm of width by height. */
  aspect: number;
  /** The lower edge in font sizes; the baseline is 0. */
  bottom: number;
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

/** What a difference of 1 in proportions, or in height above the baseline, takes away, and at most. */
const [aspectWeight, maxAspectLoss] = [0.25, 0.5];
const [bottomWeight, maxBottomLoss] = [0.5, 0.3];

/** How alike two shapes are: 1 for equal ones; different letters of one font have about a half. 0 if it is certainly below `least`. */
export function likeness(one: GlyphShape, other: GlyphShape, least = 0): number {
  const loss =
    Math.min(maxAspectLoss, Math.abs(one.aspect - other.aspect) * aspectWeight) +
    Math.min(maxBottomLoss, Math.abs(one.bottom - other.bottom) * bottomWeight);
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
