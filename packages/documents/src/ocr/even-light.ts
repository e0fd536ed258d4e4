import { scaleImage, type GrayImage } from './gray-image.ts';

/** Pixels of the picture for one pixel of the reduced picture that measures the brightness of the paper. */
const REDUCED = 16;
/** In pixels of the reduced picture: the brightest pixel within this distance is paper. */
const REACH = 2;
const DARKEST_PAPER = 60;

/** If the darkest tenth of the paper is lighter than this, the paper is white enough. */
const WHITE_PAPER = 240;

/** Whether a picture shows paper that is not white: in a shadow, or stained. */
export function isUneven(image: GrayImage): boolean {
  const { pixels } = brightest(scaleImage(image, 1 / REDUCED));
  return pixels.toSorted()[Math.floor(pixels.length / 10)]! < WHITE_PAPER;
}

/** The picture with white paper everywhere, for photographs with shadows and for stains. */
export function evenLight(image: GrayImage): GrayImage {
  const paper = brightest(scaleImage(image, 1 / REDUCED));
  const pixels = new Uint8Array(image.pixels.length);
  const columns = Uint32Array.from({ length: image.width }, (_, x) =>
    Math.min(paper.width - 1, Math.floor((x * paper.width) / image.width)),
  );
  let at = 0;
  for (let y = 0; y < image.height; y += 1) {
    const row = Math.min(paper.height - 1, Math.floor((y * paper.height) / image.height)) * paper.width;
    for (let x = 0; x < image.width; x += 1, at += 1) {
      pixels[at] = Math.min(255, (image.pixels[at]! * 255) / Math.max(DARKEST_PAPER, paper.pixels[row + columns[x]!]!));
    }
  }
  return { pixels, width: image.width, height: image.height };
}

function brightest({ pixels, width, height }: GrayImage): GrayImage {
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row += 1) {
        for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column += 1) {
          most = Math.max(most, pixels[row * width + column]!);
        }
      }
      result[y * width + x] = most;
    }
  }
  return { pixels: result, width, height };
}
