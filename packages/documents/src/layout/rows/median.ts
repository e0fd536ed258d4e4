import type { Box } from '../../page/box.ts';

/** The middle of the sorted values, the upper one of two; undefined without values. */
export function median(values: readonly number[]): number | undefined {
  return new Float64Array(values).sort()[values.length >> 1];
}

/** The median height of boxes; undefined without boxes. */
export function medianHeight(boxes: readonly Box[]): number | undefined {
  return median(boxes.map(({ y0, y1 }) => y1 - y0));
}
