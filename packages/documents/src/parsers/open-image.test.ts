import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import encode, { init } from '@jsquash/avif/encode.js';
import { expect, it } from 'vitest';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { openImage } from './open-image.ts';
import { detectType } from '../detect/detect-type.ts';
import { recognizePage } from '../ocr/recognize-page.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf } from '../testing/picture.ts';
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

/** An uncompressed BMP of 24 bits, from the bottom row. */
async function bmp(text: string): Promise<Uint8Array> {
  const { pixels, width, height } = await pictureOf(
    buildPdf({ pages: [{ content: line(text, 20, 30, 24), mediaBox: [0, 0, 260, 80] }] }),
    3,
  );
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      file.fill(pixels[y * width + x]!, 54 + (height - 1 - y) * row + x * 3, 54 + (height - 1 - y) * row + x * 3 + 3);
  }
  return file;
}

it('a BMP is detected and recognised', async () => {
  const bytes = await bmp('Total 125.00');
  expect(await detectType(bytes, 'scan.bmp')).toBe('image/bmp');
  const { page } = await recognizePage({ bytes, mimeType: 'image/bmp', pageNumber: 1, engine: 'tesseract' });
  expect(page).toMatchObject({ text: 'Total 125.00', width: 780, height: 240 });
});

it('an AVIF picture is detected and recognised', async () => {
  const text = buildPdf({ pages: [{ content: line('Total 125.00', 20, 30, 24), mediaBox: [0, 0, 260, 80] }] });
  const { pixels, width, height } = await pictureOf(text, 3);
  const data = new Uint8ClampedArray(pixels.length * 4).fill(255);
  for (const [at, shade] of pixels.entries()) data.fill(shade, at * 4, at * 4 + 3);
  const encoder = await readFile(fileURLToPath(import.meta.resolve('@jsquash/avif/codec/enc/avif_enc.wasm')));
  await init({ wasmBinary: new Uint8Array(encoder).buffer });
  const bytes = new Uint8Array(await encode({ data, width, height, colorSpace: 'srgb' } as never, { speed: 10 }));
  expect(await detectType(bytes, 'scan.avif')).toBe('image/avif');
  const { page } = await recognizePage({ bytes, mimeType: 'image/avif', pageNumber: 1, engine: 'tesseract' });
  expect(page).toMatchObject({ text: 'Total 125.00', width: 780, height: 240 });
  const cut = { bytes: bytes.subarray(0, 400), mimeType: 'image/avif', pageNumber: 1, engine: 'tesseract' } as const;
  await expect(recognizePage(cut)).rejects.toMatchObject({ code: 'damaged_page' });
});

const frame = '2c0000000001000100000202440100';
const gif = (frames: number): Uint8Array =>
  Buffer.from(`47494638396101000100800000000000ffffff${frame.repeat(frames)}3b`, 'hex');

it('a GIF is a page, and one that moves says that its other pictures were not read', async () => {
  expect(await detectType(gif(1), 'a.gif')).toBe('image/gif');
  expect(await openImage(gif(1), defaultParseLimits)).toMatchObject({ pageCount: 1, unread: [] });
  expect(await openImage(gif(3), defaultParseLimits)).toMatchObject({ pageCount: 1, unread: [{ kind: 'media' }] });
  const { page } = await recognizePage({ bytes: gif(1), mimeType: 'image/gif', pageNumber: 1, engine: 'tesseract' });
  expect(page).toMatchObject({ text: '', width: 1, height: 1 });
});

it('a PNG that moves is a page, and says that its other pictures were not read', async () => {
  const chunk = (kind: string, data: string): string =>
    (data.length / 2).toString(16).padStart(8, '0') + Buffer.from(kind).toString('hex') + data + '00000000';
  const moving = Buffer.from(
    `89504e470d0a1a0a${chunk('IHDR', '00000003000000020800000000')}${chunk('acTL', '0000000200000000')}${chunk('IDAT', '00')}`,
    'hex',
  );
  expect(await detectType(moving, 'a.png')).toBe('image/png');
  expect(await openImage(moving, defaultParseLimits)).toMatchObject({ pageCount: 1, unread: [{ kind: 'media' }] });
});

it('a TIFF with addresses of 64 bits is refused by its name: it had been called damaged', async () => {
  const big = Buffer.from('49492b0008000000100000000000000000000000', 'hex');
  await expect(Promise.resolve().then(() => openTiff(big, defaultParseLimits))).rejects.toMatchObject({
    message: expect.stringContaining('BigTIFF'),
  });
});

it('a TIFF without a picture, or cut off before its list of pictures, fails with a message', async () => {
  for (const bytes of [Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1'), tiff([[4, 2]]).subarray(0, 12)])
    await expect(Promise.resolve().then(() => openTiff(bytes, defaultParseLimits))).rejects.toMatchObject({
      code: 'damaged_file',
      message: expect.stringContaining('TIFF'),
    });
});

it('a damaged GIF or BMP fails with a message', async () => {
  for (const [bytes, mimeType] of [
    [gif(1).subarray(0, 20), 'image/gif'],
    [(await bmp('x')).subarray(0, 60), 'image/bmp'],
  ] as const) {
    await expect(recognizePage({ bytes, mimeType, pageNumber: 1, engine: 'tesseract' })).rejects.toMatchObject({
      code: 'damaged_page',
    });
  }
});

it('a HEIC photo is refused with the way to save it', async () => {
  const heic = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypheic\0\0\0\0heicmif1', 'latin1'),
    Buffer.alloc(40),
  ]);
  await expect(detectType(heic, 'IMG_1.HEIC')).rejects.toMatchObject({
    code: 'unsupported_file_type',
    message: expect.stringContaining('JPEG'),
  });
});
