/** A rectangle with its origin at the top left. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Rounds a coordinate in points: hundredths are finer than any printer. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
