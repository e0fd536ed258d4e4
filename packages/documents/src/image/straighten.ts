import type { Box } from '../page/box.ts';
import { rotateImage, scaleImage, turnQuarters, type GrayImage, type Quarters } from './gray-image.ts';

/** The preparation of a picture for OCR: quarter turns clockwise, then a small turn clockwise, then scaling. */
export interface Straightening {
  quarters: Quarters;
  /** Radians. */
  skew: number;
  scale: number;
}

/** A smaller skew is invisible, and turning would only blur the picture. */
const minSkew = 0.005;

/** The prepared picture. */
export function straighten(image: GrayImage, { quarters, skew, scale }: Straightening): GrayImage {
  const turned = turnQuarters(image, quarters);
  return scaleImage(Math.abs(skew) < minSkew ? turned : rotateImage(turned, skew), scale);
}

/** The bounding box on the original picture of a box on the straightened one. */
export function boxBefore(box: Box, before: GrayImage, { quarters, skew, scale }: Straightening): Box {
  const { width, height } = before;
  const [turnedWidth, turnedHeight] = quarters % 2 === 0 ? [width, height] : [height, width];
  const isRotated = Math.abs(skew) >= minSkew;
  const cos = isRotated ? Math.cos(skew) : 1;
  const sin = isRotated ? Math.sin(skew) : 0;
  const grownWidth = isRotated ? Math.ceil(turnedWidth * cos + turnedHeight * Math.abs(sin)) : turnedWidth;
  const grownHeight = isRotated ? Math.ceil(turnedHeight * cos + turnedWidth * Math.abs(sin)) : turnedHeight;
  const corners = [
    [box.x0, box.y0],
    [box.x1, box.y0],
    [box.x0, box.y1],
    [box.x1, box.y1],
  ].map(([x = 0, y = 0]) => {
    const dx = x / scale - grownWidth / 2;
    const dy = y / scale - grownHeight / 2;
    return unturned(turnedWidth / 2 + dx * cos + dy * sin, turnedHeight / 2 - dx * sin + dy * cos, before, quarters);
  });
  const xs = corners.map(([x]) => Math.min(width, Math.max(0, x)));
  const ys = corners.map(([, y]) => Math.min(height, Math.max(0, y)));
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

function unturned(x: number, y: number, { width, height }: GrayImage, quarters: Quarters): [number, number] {
  if (quarters === 1) return [y, height - x];
  if (quarters === 2) return [width - x, height - y];
  if (quarters === 3) return [width - y, x];
  return [x, y];
}
