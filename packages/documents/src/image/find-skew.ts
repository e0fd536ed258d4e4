import { scaleImage, turnQuarters, type GrayImage } from './gray-image.ts';

/** The orientation of the lines of a page. */
export interface Lines {
  /** True when lines run up or down rather than across. */
  isSideways: boolean;
  /** Radians of the clockwise turn that makes the lines level, after a sideways page has been turned. */
  skew: number;
}

/** Long side of the reduced picture that is analysed, in pixels. */
const LOOKED_AT = 1200;
const MAX_DEGREES = 15;
const COARSE_STEP = 0.5;
const FINE_STEP = 0.1;
/** Minimum difference of brightness between paper and ink. */
const EDGE = 40;
/** Pixels: longer edges are rules and borders, which boxes have in both directions. */
const LONGEST_EDGE = 40;
const FEWEST_EDGES = 200;
/** This many points determine the angle as well as all points. */
const MAX_EDGES = 15_000;
/** Sideways lines must be this much clearer, because few pages are sideways. */
const CLEARER = 1.3;

/**
 * Finds the skew from the lower ends of letters: at the right angle, they concentrate in few rows. A page without
 * enough letters counts as level.
 */
export function findLines(image: GrayImage): Lines {
  const small = scaleImage(image, Math.min(1, LOOKED_AT / Math.max(image.width, image.height)));
  const across = clearestAngle(lowerEdges(small));
  const upwards = clearestAngle(lowerEdges(turnQuarters(small, 1)));
  const isSideways = upwards.clarity > across.clarity * CLEARER;
  return { isSideways, skew: ((isSideways ? upwards : across).degrees * Math.PI) / 180 };
}

interface Points {
  xs: number[];
  ys: number[];
  height: number;
  width: number;
}

/** Dark pixels above a lighter pixel. */
function lowerEdges({ pixels, width, height }: GrayImage): Points {
  const found: Points = { xs: [], ys: [], width, height };
  for (let y = 0; y < height - 2; y += 1) {
    const row = y * width;
    let start = -1;
    for (let x = 0; x <= width; x += 1) {
      const at = row + x;
      const isEdge = x < width && pixels[at + 2 * width]! - pixels[at]! > EDGE;
      if (isEdge && start === -1) start = x;
      if (isEdge || start === -1) continue;
      if (x - start <= LONGEST_EDGE) {
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
  if (all.xs.length < FEWEST_EDGES) return { degrees: 0, clarity: 0 };
  const step = Math.ceil(all.xs.length / MAX_EDGES);
  const isKept = (_: number, index: number): boolean => index % step === 0;
  const points = { ...all, xs: all.xs.filter(isKept), ys: all.ys.filter(isKept) };
  let best = { degrees: 0, clarity: clarityAt(points, 0) };
  const look = (from: number, to: number, by: number): void => {
    for (let degrees = from; degrees <= to + by / 2; degrees += by) {
      const clarity = clarityAt(points, degrees);
      if (clarity > best.clarity) best = { degrees, clarity };
    }
  };
  look(-MAX_DEGREES, MAX_DEGREES, COARSE_STEP);
  look(best.degrees - COARSE_STEP, best.degrees + COARSE_STEP, FINE_STEP);
  return best;
}

/** How unevenly the points fall into rows after a clockwise turn by some degrees; 1 is even. */
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
