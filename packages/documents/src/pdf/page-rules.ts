import type { Rule } from '../layout/tables/rule.ts';
import type { Box } from '../page/box.ts';
import { displayedBox, type PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './file/pdfium.ts';

/** Points: a thinner path is a line. */
const maxLineThickness = 3;
/** Points: a shorter side is a part of a drawing. */
const minSideLength = 5;
/** A path with more segments is a drawing. */
const maxSegments = 200;
/** PDFium's number of a segment that is a line. */
const lineSegment = 0;
const minWhiteChannel = 250;
/** Share of the page: a larger surface is its background. */
const maxSurfaceShare = 0.6;

/** How a path is painted. */
export interface Painting {
  /** Colour of a filled path. */
  fill: readonly [number, number, number] | undefined;
  isStroked: boolean;
}

/**
 * The level and upright lines of one path: a thin path is a line itself; of others, the straight sides and the edges of a coloured
 * surface are lines. `scratch` is 32 bytes of PDFium's memory.
 */
export function rulesOfPath(
  pdfium: Pdfium,
  path: number,
  box: Box,
  { fill, isStroked }: Painting,
  geometry: PageGeometry,
  scratch: number,
): Rule[] {
  const isWhite = fill !== undefined && fill.every((channel) => channel >= minWhiteChannel);
  if (!isStroked && (!fill || isWhite)) return [];
  const [width, height] = [box.x1 - box.x0, box.y1 - box.y0];
  if (Math.min(width, height) <= maxLineThickness) return [box];
  if (Math.min(width, height) < minSideLength) return [];
  if (!isStroked && width * height > geometry.width * geometry.height * maxSurfaceShare) return [];
  return straightSides(pdfium, path, geometry, scratch);
}

function straightSides({ call, floats }: Pdfium, path: number, geometry: PageGeometry, scratch: number): Rule[] {
  const count = call.FPDFPath_CountSegments(path);
  if (count > maxSegments || call.FPDFPageObj_GetMatrix(path, scratch) === 0) return [];
  const at = scratch / 4;
  const placed = placedBy(geometry, floats().subarray(at, at + 6));
  const rules: Rule[] = [];
  let start: [number, number] | undefined;
  let last: [number, number] | undefined;
  const addSide = (from: [number, number], to: [number, number]): void => {
    const side = displayedBox(placed, from[0], from[1], to[0], to[1]);
    const [width, height] = [side.x1 - side.x0, side.y1 - side.y0];
    if (Math.max(width, height) >= minSideLength && Math.min(width, height) < 0.5) rules.push(side);
  };
  for (let index = 0; index < count; index += 1) {
    const segment = call.FPDFPath_GetPathSegment(path, index);
    call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const point: [number, number] = [floats()[at]!, floats()[at + 1]!];
    const isLine = call.FPDFPathSegment_GetType(segment) === lineSegment;
    if (isLine && last) addSide(last, point);
    if (!isLine) start = point;
    last = point;
    if (call.FPDFPathSegment_GetClose(segment) !== 0 && start) {
      addSide(point, start);
      last = start;
    }
  }
  return rules;
}

/** The geometry of an object that a matrix (a, b, c, d, e, f) places on the page. */
export function placedBy(geometry: PageGeometry, matrix: ArrayLike<number>): PageGeometry {
  const { a, b, c, d, e, f } = geometry;
  const [ma, mb, mc, md, me, mf] = Array.from(matrix) as [number, number, number, number, number, number];
  return {
    ...geometry,
    a: a * ma + c * mb,
    b: b * ma + d * mb,
    c: a * mc + c * md,
    d: b * mc + d * md,
    e: a * me + c * mf + e,
    f: b * me + d * mf + f,
  };
}
