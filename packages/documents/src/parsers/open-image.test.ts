import { expect, it } from 'vitest';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { openImage } from './open-image.ts';
import { openTiff } from './open-tiff.ts';

/** The smallest TIFF: for each picture a directory with width, height and little else. */
function tiff(sizes: readonly (readonly [width: number, height: number])[]): Uint8Array {
  const header = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const directories = sizes.map(([width, height], index) => {
    const tags = [
      [256, width],
      [257, height],
      [258, 1],
      [259, 1],
      [262, 1],
    ] as const;
    const directory = Buffer.alloc(2 + tags.length * 12 + 4);
    directory.writeUInt16LE(tags.length, 0);
    for (const [position, [tag, value]] of tags.entries()) {
      const at = 2 + position * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(3, at + 2);
      directory.writeUInt32LE(1, at + 4);
      directory.writeUInt32LE(value, at + 8);
    }
    const isLast = index === sizes.length - 1;
    directory.writeUInt32LE(isLast ? 0 : header.length + (index + 1) * directory.length, directory.length - 4);
    return directory;
  });
  return Buffer.concat([header, ...directories]);
}

it('a picture is a page of its size that needs OCR', async () => {
  const png = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
  png.writeUInt32BE(640, 16);
  png.writeUInt32BE(480, 20);
  const { pages } = await openImage(png, defaultParseLimits);
  expect([...pages]).toEqual([
    { page_num: 1, width: 640, height: 480, text: '', words: [], hidden_text: 0, needs_ocr: true },
  ]);
});

it('each picture of a TIFF file is a page', async () => {
  const { pageCount, pages } = await openTiff(
    tiff([
      [640, 480],
      [300, 200],
    ]),
    defaultParseLimits,
  );
  expect(pageCount).toBe(2);
  expect([...pages].map(({ width, height, needs_ocr }) => [width, height, needs_ocr])).toEqual([
    [640, 480, true],
    [300, 200, true],
  ]);
});
