import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import decode, { init } from '@jsquash/avif/decode.js';
import { imageSize } from 'image-size';
import { ParseFailure } from '../../reader/parse-failure.ts';
import { brightness, type GrayImage } from '../gray-image.ts';

/** Decoded, a picture of this size takes a quarter of a gigabyte, as other pictures do. */
const maxPixels = 64_000_000;
const bytesOfPixel = 4;
const white = 255;

/** Red, green, blue and opacity of each pixel. */
interface Picture {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

let loaded: Promise<void> | undefined;

/** Decodes an AVIF picture, the first one if it moves. Throws `ParseFailure` if it is too large or damaged. */
export async function decodeAvif(file: Uint8Array): Promise<GrayImage> {
  const size = imageSize(file);
  if (size.width * size.height > maxPixels) {
    const message = `The picture has more than ${maxPixels / 1_000_000} million pixels. Scale it down and upload it again.`;
    throw new ParseFailure('image_too_large', message);
  }
  loaded ??= load();
  await loaded;
  const decoded: Picture | null = await decode(new Uint8Array(file).buffer).catch(() => null);
  if (!decoded) {
    throw new ParseFailure('damaged_page', 'The picture is damaged. Save it as PNG or JPEG and upload that.');
  }
  const { data, width, height } = decoded;
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at += 1, from += bytesOfPixel) {
    const shade = brightness(data[from]!, data[from + 1]!, data[from + 2]!);
    // A transparent picture is shown on white.
    pixels[at] = white - ((white - shade) * data[from + 3]!) / white;
  }
  return { pixels, width, height };
}

async function load(): Promise<void> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@jsquash/avif/codec/dec/avif_dec.wasm')));
  await init({ wasmBinary: new Uint8Array(wasm).buffer });
}
