import type { Box } from '../../page/box.ts';

/** A map of how likely each dot is part of a line of text, 0–1. */
interface TextMap {
  likelihood: Float32Array;
  width: number;
  height: number;
}

/** Dots below this are paper. */
const TEXT = 0.3;
/** A region whose mean is lower is not text. */
const SURE = 0.5;
/** The network marks the core of a line; the line itself is larger by this share of area to perimeter. */
const GROWTH = 1.6;
const LEAST_SIDE = 3;
const MAX_BOXES = 2000;

/** Boxes around connected text, in dots of the map. The picture is straight, so that boxes need no angle. */
export function findLineBoxes({ likelihood, width, height }: TextMap): Box[] {
  const seen = new Uint8Array(likelihood.length);
  const open = new Int32Array(likelihood.length);
  const boxes: Box[] = [];
  for (let start = 0; start < likelihood.length && boxes.length < MAX_BOXES; start += 1) {
    if (seen[start] === 1 || likelihood[start]! <= TEXT) continue;
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
        if (seen[other] === 1 || likelihood[other]! <= TEXT) return;
        seen[other] = 1;
        open[end] = other;
        end += 1;
      };
      if (x > 0) add(at - 1);
      if (x < width - 1) add(at + 1);
      if (y > 0) add(at - width);
      if (y < height - 1) add(at + width);
    }
    const [wide, tall] = [x1 - x0 + 1, y1 - y0 + 1];
    if (Math.min(wide, tall) < LEAST_SIDE || sum / count < SURE) continue;
    const grown = (wide * tall * GROWTH) / (2 * (wide + tall));
    boxes.push({
      x0: Math.max(0, x0 - grown),
      y0: Math.max(0, y0 - grown),
      x1: Math.min(width, x1 + 1 + grown),
      y1: Math.min(height, y1 + 1 + grown),
    });
  }
  return boxes;
}
