import { deflateSync, zstdCompressSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { expect, it } from 'vitest';
import { decodeTiff } from './decode-tiff.ts';

const [width, height] = [8, 4];
const shades = Uint8Array.from({ length: width * height }, (_, at) => (at * 37) % 256);

/** A TIFF file of one strip of grey samples. */
function tiffOf(compression: number, strip: Uint8Array, more: Record<number, number> = {}): Uint8Array {
  const tags = Object.entries<number>({
    256: width,
    257: height,
    258: 8,
    259: compression,
    262: 1,
    273: 8,
    277: 1,
    278: height,
    279: strip.length,
    ...more,
  }).sort(([one], [other]) => Number(one) - Number(other));
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [position, [tag, value]] of tags.entries()) {
    directory.writeUInt16LE(Number(tag), 2 + position * 12);
    directory.writeUInt16LE(4, 4 + position * 12);
    directory.writeUInt32LE(1, 6 + position * 12);
    directory.writeUInt32LE(value, 10 + position * 12);
  }
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(8 + strip.length, 4);
  return Buffer.concat([header, strip, directory]);
}

/** `shades` as an .xz stream, which Node.js cannot write. */
const xz =
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAfACVKb5S53gMoTXKXvOEGK1B1mr/kCS5TeJ3C5wwxVnsAA5BIcwFgYF0AATggGCl3DB+2830BAAAAAARZWg==';

it.each([
  ['Deflate', 8, deflateSync(shades)],
  ['Deflate under its old number', 32_946, deflateSync(shades)],
  ['ZSTD', 50_000, zstdCompressSync(shades)],
  ['LZMA', 34_925, Buffer.from(xz, 'base64')],
])('decodes %s', async (_, compression, strip) => {
  expect(await decodeTiff(tiffOf(compression, strip), 0)).toEqual({ pixels: shades, width, height });
});

it('adds up differences between pixels', async () => {
  const differences = shades.map((shade, at) => (at % width === 0 ? shade : shade - shades[at - 1]!));
  const image = await decodeTiff(tiffOf(8, deflateSync(differences), { 317: 2 }), 0);
  expect(image?.pixels).toEqual(shades);
});

it('decodes JPEG', async () => {
  const data = Buffer.alloc(width * height * 4, 200);
  const image = await decodeTiff(tiffOf(7, jpeg.encode({ data, width, height }, 100).data), 0);
  expect(image).toMatchObject({ width, height });
  for (const shade of image!.pixels) expect(Math.abs(shade - 200)).toBeLessThan(3);
});

it('leaves other codecs to Leptonica, and refuses what unpacks to more than its picture', async () => {
  expect(await decodeTiff(tiffOf(1, shades), 0)).toBeUndefined();
  await expect(decodeTiff(tiffOf(8, deflateSync(Buffer.alloc(1_000_000))), 0)).rejects.toThrow('larger');
  await expect(decodeTiff(tiffOf(8, shades, { 256: 40_000, 257: 40_000 }), 0)).rejects.toMatchObject({
    code: 'image_too_large',
  });
});
