import { turnUpright, type ReadingDirection } from '../../page/reading-direction.ts';

/** The position of a character after its line is turned upright. */
export interface Position {
  u0: number;
  v0: number;
  u1: number;
  v1: number;
}

/** Writes the place of a character into `position`. */
export function turnInto(
  position: Position,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  direction: ReadingDirection,
): void {
  if (direction === 'right') {
    position.u0 = x0;
    position.v0 = y0;
    position.u1 = x1;
    position.v1 = y1;
    return;
  }
  const turned = turnUpright({ x0, y0, x1, y1 }, direction);
  position.u0 = turned.x0;
  position.v0 = turned.y0;
  position.u1 = turned.x1;
  position.v1 = turned.y1;
}

/** Share of the lower character's height in which two characters of a line overlap. */
const minLineOverlap = 0.5;
/** A superscript belongs to its word; a headline beside small print does not. */
const maxSizeRatio = 2.5;

/** Whether two characters, with the sizes of their fonts, stand on one line. */
export function isSameLine(last: Position, next: Position, size: number, lastSize: number): boolean {
  const overlap = Math.min(last.v1, next.v1) - Math.max(last.v0, next.v0);
  const lower = Math.min(last.v1 - last.v0, next.v1 - next.v0);
  if (overlap < lower * minLineOverlap) return false;
  return Math.max(size, lastSize) < Math.min(size, lastSize) * maxSizeRatio;
}

/** The gap between two characters of a line, whichever is first. */
export function distanceBetween(last: Position, next: Position): number {
  return Math.max(next.u0 - last.u1, last.u0 - next.u1);
}

/** The distance between the middles of two characters. */
export function middleDistance(last: Position, next: Position): number {
  return Math.hypot(last.u0 + last.u1 - next.u0 - next.u1, last.v0 + last.v1 - next.v0 - next.v1) / 2;
}

/** The parts of a ligature share one box. */
export function overlaps(last: Position, next: Position): boolean {
  return Math.abs(last.u0 - next.u0) < 0.01 && Math.abs(last.u1 - next.u1) < 0.01;
}
