import type { Box } from '../page/box.ts';
import type { GrayImage } from './gray-image.ts';

/** In pixels. Lower components are dots and specks; higher ones are rules, pictures and letters that touch. */
const [minLetterHeight, maxLetterHeight] = [5, 120];
/** In heights of the letter. */
const maxLetterWidth = 4;
/** Fewer letters do not determine the height of the text. */
const minLetters = 20;
/** Most letters are in lower case, and capitals are higher. */
const capitalsQuantile = 0.7;

/** Height of capitals in pixels; undefined with too few letters. */
export function letterHeight(letters: readonly Box[]): number | undefined {
  const heights = letters.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  return heights.length < minLetters ? undefined : heights[Math.floor(heights.length * capitalsQuantile)];
}

/** Connected components of a picture with the shape of a letter. */
export function findLetters(image: GrayImage): Box[] {
  return components(image, inkThreshold(image)).filter(({ x0, y0, x1, y1 }) => {
    const height = y1 - y0;
    return height >= minLetterHeight && height <= maxLetterHeight && x1 - x0 <= height * maxLetterWidth;
  });
}

/** Otsu's threshold: the brightness that separates ink from paper with the least variance on either side. */
function inkThreshold({ pixels }: GrayImage): number {
  const counts = new Float64Array(256);
  for (const pixel of pixels) counts[pixel]! += 1;
  let sum = 0;
  for (const [shade, count] of counts.entries()) sum += shade * count;
  let [darker, darkerSum, maxVariance, threshold] = [0, 0, 0, 128];
  for (const [shade, count] of counts.entries()) {
    darker += count;
    darkerSum += shade * count;
    const lighter = pixels.length - darker;
    if (darker === 0 || lighter === 0) continue;
    const distance = darkerSum / darker - (sum - darkerSum) / lighter;
    const variance = darker * lighter * distance * distance;
    if (variance > maxVariance) [maxVariance, threshold] = [variance, shade + 1];
  }
  return threshold;
}

/** Boxes of connected ink: runs of ink are merged with the runs that they touch in the row above. */
function components({ pixels, width, height }: GrayImage, threshold: number): Box[] {
  const found: Box[] = [];
  const joined: number[] = [];
  const rootOf = (label: number): number => {
    let root = label;
    while (joined[root] !== root) root = joined[root]!;
    joined[label] = root;
    return root;
  };
  // Start, end and label of each run, one after the other.
  let above: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const row: number[] = [];
    const start = y * width;
    let at = 0;
    for (let x = 0; x < width; x += 1) {
      if (pixels[start + x]! >= threshold) continue;
      const from = x;
      while (x < width && pixels[start + x]! < threshold) x += 1;
      while (at < above.length && above[at + 1]! < from) at += 3;
      const label = found.length;
      found.push({ x0: from, y0: y, x1: x, y1: y + 1 });
      joined.push(label);
      for (let next = at; next < above.length && above[next]! <= x; next += 3) {
        const root = rootOf(above[next + 2]!);
        if (root !== label) join(found[label]!, found[root]!);
        joined[root] = label;
      }
      row.push(from, x, label);
    }
    above = row;
  }
  return found.filter((_, label) => joined[label] === label);
}

function join(box: Box, other: Box): void {
  box.x0 = Math.min(box.x0, other.x0);
  box.y0 = Math.min(box.y0, other.y0);
  box.x1 = Math.max(box.x1, other.x1);
  box.y1 = Math.max(box.y1, other.y1);
}
