import { scaleImage, turnQuarters, type GrayImage } from './gray-image.ts';

/** How the lines of a page lie. */
export interface LineOrientation {
  /** Whether lines run up or down rather than across. */
  isSideways: boolean;
  /** The clockwise turn in radians that makes the lines level, after a sideways page has been turned. */
  skew: number;
}

/** Longer side of the reduced picture that is analysed, in pixels. */
const analysedSide = 1200;
/** The angles that are tried, in degrees. */
const maxDegrees = 15;
const coarseStep = 0.5;
const fineStep = 0.1;
/** Difference of brightness between paper and ink. */
const minEdgeContrast = 40;
/** Pixels: longer edges are rules and borders, which boxes have in both directions. */
const maxEdgeLength = 40;
const minEdgePoints = 200;
/** So many points determine the angle as well as all of them. */
const maxEdgePoints = 15_000;
/** Sideways lines must be clearer by this factor, because few pages are sideways. */
const minSidewaysClarity = 1.3;

/**
 * Finds the skew of a page from the lower ends of its letters: at the right angle, they are in few rows. A page with too
 * few letters counts as level.
 */
export function findLineOrientation(image: GrayImage): LineOrientation {
  const small = scaleImage(image, Math.min(1, analysedSide / Math.max(image.width, image.height)));
  const across = clearestAngle(lowerEdges(small));
  const sideways = clearestAngle(lowerEdges(turnQuarters(small, 1)));
  const isSideways = sideways.clarity > across.clarity * minSidewaysClarity;
  return { isSideways, skew: ((isSideways ? sideways : across).degrees * Math.PI) / 180 };
}

interface Points {
  xs: number[];
  ys: number[];
  height: number;
  width: number;
}

/** Dark pixels above lighter ones. */
function lowerEdges({ pixels, width, height }: GrayImage): Points {
  const found: Points = { xs: [], ys: [], width, height };
  for (let y = 0; y < height - 2; y += 1) {
    const row = y * width;
    let start = -1;
    for (let x = 0; x <= width; x += 1) {
      const at = row + x;
      const isEdge = x < width && pixels[at + 2 * width]! - pixels[at]! > minEdgeContrast;
      if (isEdge && start === -1) start = x;
      if (isEdge || start === -1) continue;
      if (x - start <= maxEdgeLength) {
        for (let edge = start; edge < x; edge += 1) {
          found.xs.push(edge);
          found.ys.push(y);
        }
      }
      start = -1;
    }
  }
  return found;
}

function clearestAngle(all: Points): { degrees: number; clarity: number } {
  if (all.xs.length < minEdgePoints) return { degrees: 0, clarity: 0 };
  const step = Math.ceil(all.xs.length / maxEdgePoints);
  const isSampled = (_: number, index: number): boolean => index % step === 0;
  const points = { ...all, xs: all.xs.filter(isSampled), ys: all.ys.filter(isSampled) };
  let best = { degrees: 0, clarity: clarityAt(points, 0) };
  const tryAngles = (from: number, to: number, by: number): void => {
    for (let degrees = from; degrees <= to + by / 2; degrees += by) {
      const clarity = clarityAt(points, degrees);
      if (clarity > best.clarity) best = { degrees, clarity };
    }
  };
  tryAngles(-maxDegrees, maxDegrees, coarseStep);
  tryAngles(best.degrees - coarseStep, best.degrees + coarseStep, fineStep);
  return best;
}

/** How unevenly the points are distributed over rows after a clockwise turn; 1 is even. */
function clarityAt({ xs, ys, width, height }: Points, degrees: number): number {
  const radians = (degrees * Math.PI) / 180;
  const sin = Math.sin(radians);
  const cos = Math.cos(radians);
  const offset = Math.ceil(Math.abs(sin) * width) + 1;
  const rows = new Float64Array(height + 2 * offset + 2);
  for (let index = 0; index < xs.length; index += 1) {
    rows[Math.round(ys[index]! * cos + xs[index]! * sin) + offset]! += 1;
  }
  let squares = 0;
  for (const count of rows) squares += count * count;
  return (squares * height) / (xs.length * xs.length);
}
