/** `fit` follows the width of the panel; a number counts the paper's own size as 1. */
export type Zoom = 'fit' | number;

/** Pixels of one PDF point at the paper's own size. */
export const pixelsPerPoint = 96 / 72;

const steps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

/** The next step above or below what is shown now. */
export function nextZoom(shown: number, direction: 1 | -1): number {
  const slack = 0.02;
  return direction === 1
    ? (steps.find((step) => step > shown + slack) ?? steps.at(-1)!)
    : (steps.findLast((step) => step < shown - slack) ?? steps[0]!);
}
