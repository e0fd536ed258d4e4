import type { Box } from '../page/box.ts';

/** A picture in shades of grey: one byte a pixel, row by row from the top left; 0 is black. */
export interface GrayImage {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** Quarter turns clockwise. */
export type Quarters = 0 | 1 | 2 | 3;

const white = 255;

/** The picture turned clockwise. */
export function turnQuarters(image: GrayImage, quarters: Quarters): GrayImage {
  if (quarters === 0) return image;
  const { pixels, width, height } = image;
  const isSideways = quarters !== 2;
  const turned = new Uint8Array(pixels.length);
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    // Position of the row's first pixel in the turned picture, and the distance to its next one.
    const start =
      quarters === 1 ? height - 1 - y : quarters === 2 ? pixels.length - 1 - y * width : (width - 1) * height + y;
    const step = quarters === 1 ? height : quarters === 2 ? -1 : -height;
    for (let x = 0, to = start; x < width; x += 1, to += step, from += 1) turned[to] = pixels[from]!;
  }
  return { pixels: turned, width: isSideways ? height : width, height: isSideways ? width : height };
}

/** The picture scaled by a factor: interpolated when larger, averaged when smaller. */
export function scaleImage(image: GrayImage, factor: number): GrayImage {
  if (factor === 1) return image;
  const width = Math.max(1, Math.round(image.width * factor));
  const height = Math.max(1, Math.round(image.height * factor));
  return factor < 1 ? shrink(image, width, height) : enlarge(image, width, height);
}

function shrink(image: GrayImage, width: number, height: number): GrayImage {
  const pixels = new Uint8Array(width * height);
  const ends = Uint32Array.from({ length: width }, (_, column) => Math.ceil(((column + 1) * image.width) / width));
  const sums = new Uint32Array(width);
  for (let row = 0, y = 0; row < height; row += 1) {
    const end = Math.max(y + 1, Math.floor(((row + 1) * image.height) / height));
    const rows = end - y;
    sums.fill(0);
    for (; y < end; y += 1) {
      let from = y * image.width;
      const start = from;
      for (let column = 0; column < width; column += 1) {
        const until = start + ends[column]!;
        let sum = 0;
        for (; from < until; from += 1) sum += image.pixels[from]!;
        sums[column]! += sum;
      }
    }
    for (let column = 0, before = 0; column < width; column += 1) {
      pixels[row * width + column] = Math.round(sums[column]! / (rows * (ends[column]! - before)));
      before = ends[column]!;
    }
  }
  return { pixels, width, height };
}

function enlarge(image: GrayImage, width: number, height: number): GrayImage {
  const pixels = new Uint8Array(width * height);
  const xStep = image.width / width;
  const yStep = image.height / height;
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const y = Math.max(0, (row + 0.5) * yStep - 0.5);
    for (let column = 0; column < width; column += 1, to += 1) {
      pixels[to] = sample(image, Math.max(0, (column + 0.5) * xStep - 0.5), y);
    }
  }
  return { pixels, width, height };
}

/** The picture turned clockwise by a small angle about its middle, on white, enlarged to fit its corners. */
export function rotateImage(image: GrayImage, radians: number): GrayImage {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const width = Math.ceil(image.width * Math.abs(cos) + image.height * Math.abs(sin));
  const height = Math.ceil(image.height * Math.abs(cos) + image.width * Math.abs(sin));
  const pixels = new Uint8Array(width * height).fill(white);
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const dy = row - height / 2;
    let x = image.width / 2 - (width / 2) * cos + dy * sin;
    let y = image.height / 2 + (width / 2) * sin + dy * cos;
    for (let column = 0; column < width; column += 1, to += 1, x += cos, y -= sin) {
      if (x >= 0 && y >= 0 && x < image.width - 1 && y < image.height - 1) pixels[to] = sample(image, x, y);
    }
  }
  return { pixels, width, height };
}

/** The part of the picture within a box, whose sides are rounded outwards to whole pixels. */
export function cropImage({ pixels, width }: GrayImage, { x0, y0, x1, y1 }: Box): GrayImage {
  const [left, top] = [Math.floor(x0), Math.floor(y0)];
  const size = { width: Math.max(1, Math.ceil(x1) - left), height: Math.max(1, Math.ceil(y1) - top) };
  const cropped = new Uint8Array(size.width * size.height);
  for (let row = 0; row < size.height; row += 1) {
    const start = (top + row) * width + left;
    cropped.set(pixels.subarray(start, start + size.width), row * size.width);
  }
  return { ...size, pixels: cropped };
}

/** Weight of each colour, of 256, in the perceived brightness. */
const [redWeight, greenWeight, blueWeight] = [77, 151, 28];

/** The perceived brightness of a colour, 0–255. */
export function brightness(red: number, green: number, blue: number): number {
  return (red * redWeight + green * greenWeight + blue * blueWeight) >>> 8;
}

/** A rendered picture of blue, green and red in shades of grey. */
export function toGray({ pixels: colors, width, height }: GrayImage): GrayImage {
  const pixels = new Uint8Array(width * height);
  for (let index = 0, at = 0; index < pixels.length; index += 1, at += 4) {
    pixels[index] = brightness(colors[at + 2]!, colors[at + 1]!, colors[at]!);
  }
  return { pixels, width, height };
}

/** Interpolates between four pixels. */
function sample({ pixels, width, height }: GrayImage, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = left + 1 < width ? 1 : 0;
  const below = top + 1 < height ? width : 0;
  const at = top * width + left;
  const fx = x - left;
  const upper = pixels[at]! + (pixels[at + right]! - pixels[at]!) * fx;
  const lower = pixels[at + below]! + (pixels[at + below + right]! - pixels[at + below]!) * fx;
  return upper + (lower - upper) * (y - top) + 0.5;
}
