import { scaleImage, turnQuarters, type GrayImage } from './gray-image.ts';

/** How the lines of a page lie. */
export interface Lines {
  /** Lines run up or down rather than across. */
  isSideways: boolean;
  /** Radians by which turning the picture clockwise makes its lines level, once it is no more sideways. */
  skew: number;
}

/** Long side of the picture that is looked at. */
const LOOKED_AT = 1200;
const MOST_DEGREES = 15;
const COARSE_STEP = 0.5;
const FINE_STEP = 0.1;
/** Brightness by which paper is lighter than what is written on it. */
const EDGE = 40;
/** Pixels: longer edges are rules and borders, which boxes have in both directions. */
const LONGEST_EDGE = 40;
const FEWEST_EDGES = 200;
/** So many tell the angle as well as all. */
const MOST_EDGES = 15_000;
/** Sideways lines must be this much clearer, for most pages are not. */
const CLEARER = 1.3;

/**
 * Where the lower ends of letters line up: turned by the right angle, they crowd into few rows. Pages without enough of
 * them come back as level.
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

/** Pixels that are dark over a lighter one. */
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
  const step = Math.ceil(all.xs.length / MOST_EDGES);
  const isKept = (_: number, index: number): boolean => index % step === 0;
  const points = { ...all, xs: all.xs.filter(isKept), ys: all.ys.filter(isKept) };
  let best = { degrees: 0, clarity: clarityAt(points, 0) };
  const look = (from: number, to: number, by: number): void => {
    for (let degrees = from; degrees <= to + by / 2; degrees += by) {
      const clarity = clarityAt(points, degrees);
      if (clarity > best.clarity) best = { degrees, clarity };
    }
  };
  look(-MOST_DEGREES, MOST_DEGREES, COARSE_STEP);
  look(best.degrees - COARSE_STEP, best.degrees + COARSE_STEP, FINE_STEP);
  return best;
}

/** How unevenly the points fall into rows, once the picture is turned clockwise by so many degrees; 1 is evenly. */
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
