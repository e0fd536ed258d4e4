import type { Box } from '../../page/box.ts';

/** A map of the places of text on a picture. */
interface TextMap {
  /** 0–1: how likely each dot is part of a line of text. */
  likelihood: Float32Array;
  width: number;
  height: number;
}

/** A dot of less likelihood is paper. */
const minTextLikelihood = 0.3;
/** A region of less mean likelihood is no text. */
const minMeanLikelihood = 0.5;
/** The network marks the core of a line. The line reaches further on each side by the core's area times this, over its perimeter. */
const growthFactor = 1.6;
/** In dots. */
const minSide = 3;
const maxBoxes = 2000;

/** Boxes around connected text, in dots of the map. Boxes have no angle, since the picture is straight. */
export function findLineBoxes({ likelihood, width, height }: TextMap): Box[] {
  const seen = new Uint8Array(likelihood.length);
  const open = new Int32Array(likelihood.length);
  const boxes: Box[] = [];
  for (let start = 0; start < likelihood.length && boxes.length < maxBoxes; start += 1) {
    if (seen[start] === 1 || likelihood[start]! <= minTextLikelihood) continue;
    let [x0, y0, x1, y1, sum, count] = [width, height, 0, 0, 0, 0];
    let end = 1;
    open[0] = start;
    seen[start] = 1;
    for (let next = 0; next < end; next += 1) {
      const at = open[next]!;
      const x = at % width;
      const y = (at - x) / width;
      sum += likelihood[at]!;
      count += 1;
      x0 = Math.min(x0, x);
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = Math.max(y1, y);
      const add = (other: number): void => {
        if (seen[other] === 1 || likelihood[other]! <= minTextLikelihood) return;
        seen[other] = 1;
        open[end] = other;
        end += 1;
      };
      if (x > 0) add(at - 1);
      if (x < width - 1) add(at + 1);
      if (y > 0) add(at - width);
      if (y < height - 1) add(at + width);
    }
    const [coreWidth, coreHeight] = [x1 - x0 + 1, y1 - y0 + 1];
    if (Math.min(coreWidth, coreHeight) < minSide || sum / count < minMeanLikelihood) continue;
    const growth = (coreWidth * coreHeight * growthFactor) / (2 * (coreWidth + coreHeight));
    boxes.push({
      x0: Math.max(0, x0 - growth),
      y0: Math.max(0, y0 - growth),
      x1: Math.min(width, x1 + 1 + growth),
      y1: Math.min(height, y1 + 1 + growth),
    });
  }
  return boxes;
}
