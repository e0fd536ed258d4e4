import { imageSize } from 'image-size';
import { brightness, scaleImage, turnQuarters, type GrayImage, type Quarters } from '../../image/gray-image.ts';
import { ParseFailure } from '../../reader/parse-failure.ts';
import type { Tesseract } from './tesseract.ts';

/** Limit of a picture in pixels: decoded, a colour picture of this size takes a quarter of a gigabyte. */
const maxPixels = 64_000_000;
/** A picture with more pixels is scaled down: A4 at 300 dots per inch has nine million. */
const maxUsefulPixels = 12_000_000;
/** Positions in Leptonica's picture record, in words of four bytes, and its size. */
const pictureFields = { width: 0, height: 1, depth: 2, samples: 3, wordsPerLine: 4, colormap: 11, data: 12 } as const;
const pictureWords = 13;
/** Number of samples of a pixel that has an alpha channel. */
const samplesWithAlpha = 4;

/** A decoded picture, scaled down if it is larger than useful. */
export interface DecodedImage {
  image: GrayImage;
  /** Pixels of `image` for one pixel of the picture. */
  scale: number;
}

/**
 * Decodes PNG, JPEG, WebP, BMP, or the first picture of a GIF file, or the first picture of a TIFF file, turned upright by its EXIF orientation. Throws
 * `ParseFailure` if the picture is too large or damaged.
 */
export function decodeImage(tesseract: Tesseract, bytes: Uint8Array, orientation = 1): DecodedImage {
  const { module } = tesseract;
  const address = module._malloc(bytes.length + 4);
  if (address === 0) throw tooLarge();
  let picture = 0;
  try {
    tesseract.bytes().set(bytes, address);
    picture = module._pixReadMem(address, bytes.length);
    if (picture === 0) throw damaged();
    const { image, scale } = scaleToUse(toGray(tesseract, picture));
    return { image: orient(image, orientation), scale };
  } finally {
    if (picture !== 0) {
      // Leptonica takes the address of the picture's address. The bytes of the file are no longer needed.
      new DataView(tesseract.bytes().buffer).setUint32(address, picture, true);
      module._pixDestroy(address);
    }
    module._free(address);
  }
}

/** The picture, scaled down if it is larger than useful. */
export function scaleToUse(picture: GrayImage): DecodedImage {
  const scale = Math.min(1, Math.sqrt(maxUsefulPixels / picture.pixels.length));
  return { image: scaleImage(picture, scale), scale };
}

function checkImageSize(width: number, height: number): void {
  if (width * height > maxPixels) throw tooLarge();
}

/** EXIF orientation of a picture, 1 without one. Throws `image_too_large` before decoding. */
export function exifOrientation(bytes: Uint8Array): number {
  const { width, height, orientation = 1 } = imageSize(bytes);
  checkImageSize(width, height);
  return orientation;
}

function toGray(tesseract: Tesseract, picture: number): GrayImage {
  const memory = tesseract.bytes().buffer;
  const record = new Uint32Array(memory, picture, pictureWords);
  const [width, height, depth, wordsPerLine] = [
    record[pictureFields.width]!,
    record[pictureFields.height]!,
    record[pictureFields.depth]!,
    record[pictureFields.wordsPerLine]!,
  ];
  checkImageSize(width, height);
  const words = new Uint32Array(memory, record[pictureFields.data], wordsPerLine * height);
  const hasAlpha = record[pictureFields.samples] === samplesWithAlpha;
  const shades = shadesOf(memory, record[pictureFields.colormap]!, depth);
  const pixels = new Uint8Array(width * height);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    const line = y * wordsPerLine;
    for (let x = 0; x < width; x += 1, to += 1) {
      if (depth === 32) {
        const word = words[line + x]!;
        const shade = brightness(word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff);
        // A transparent picture is shown on white.
        pixels[to] = hasAlpha ? 255 - ((255 - shade) * (word & 0xff)) / 255 : shade;
      } else {
        const bit = x * depth;
        const value = (words[line + (bit >>> 5)]! >>> (32 - depth - (bit & 31))) & ((1 << depth) - 1);
        pixels[to] = depth === 16 ? value >>> 8 : shades[value]!;
      }
    }
  }
  return { pixels, width, height };
}

/** The brightness of each value of a pixel. Without a palette, a single bit counts ink, and more bits count brightness. */
function shadesOf(memory: ArrayBuffer, colormap: number, depth: number): Uint8Array {
  const count = 1 << Math.min(8, depth);
  if (colormap === 0) {
    return Uint8Array.from({ length: count }, (_, value) =>
      depth === 1 ? 255 * (1 - value) : (255 * value) / (count - 1),
    );
  }
  const entries = new Uint8Array(memory, new Uint32Array(memory, colormap, 1)[0], count * 4);
  return Uint8Array.from({ length: count }, (_, value) => {
    const [blue, green, red] = entries.subarray(value * 4, value * 4 + 3) as unknown as [number, number, number];
    return brightness(red, green, blue);
  });
}

/** Quarter turns and mirroring of the eight EXIF orientations. */
const orientations: Readonly<Record<number, { quarters: Quarters; isMirrored: boolean }>> = {
  2: { quarters: 0, isMirrored: true },
  3: { quarters: 2, isMirrored: false },
  4: { quarters: 2, isMirrored: true },
  5: { quarters: 3, isMirrored: true },
  6: { quarters: 1, isMirrored: false },
  7: { quarters: 1, isMirrored: true },
  8: { quarters: 3, isMirrored: false },
};

function orient(image: GrayImage, orientation: number): GrayImage {
  const how = orientations[orientation];
  if (!how) return image;
  return turnQuarters(how.isMirrored ? mirror(image) : image, how.quarters);
}

function mirror({ pixels, width, height }: GrayImage): GrayImage {
  const mirrored = new Uint8Array(pixels.length);
  for (let start = 0; start < pixels.length; start += width) {
    for (let x = 0; x < width; x += 1) mirrored[start + x] = pixels[start + width - 1 - x]!;
  }
  return { pixels: mirrored, width, height };
}

function tooLarge(): ParseFailure {
  return new ParseFailure(
    'image_too_large',
    `The picture has more than ${maxPixels / 1_000_000} million pixels. Save it smaller and upload that.`,
  );
}

function damaged(): ParseFailure {
  return new ParseFailure(
    'damaged_page',
    'The picture of this page is damaged or incomplete. Scan it or save it again, and upload that.',
  );
}
