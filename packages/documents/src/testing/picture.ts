import { crc32, deflateSync } from 'node:zlib';
import type { GrayImage } from '../image/gray-image.ts';
import { readPageGeometry } from '../pdf/page-geometry.ts';
import { openPdfFile } from '../pdf/file/pdf-file.ts';
import { renderPage } from '../pdf/render-page.ts';

export { rotateImage } from '../image/gray-image.ts';

/** The first page of a PDF as a picture, with the given number of pixels for one point. */
export async function pictureOf(pdf: Uint8Array, scale: number): Promise<GrayImage> {
  const file = await openPdfFile(pdf, { pages: 1 });
  const page = file.pdfium.call.FPDF_LoadPage(file.document, 0);
  const geometry = readPageGeometry(file.pdfium, page);
  const { pixels: colors, width, height } = renderPage(file.pdfium, page, geometry, { scale, maxPixels: 1e7 });
  file.pdfium.call.FPDF_ClosePage(page);
  file.close();
  return { pixels: Uint8Array.from({ length: width * height }, (_, index) => colors[index * 4]!), width, height };
}

/** A PNG file of a grey picture. */
export function png({ pixels, width, height }: GrayImage): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey.
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** A TIFF file of uncompressed pictures. An undefined picture has a directory without data. */
export function tiff(pictures: readonly (GrayImage | undefined)[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])];
  let at = 8;
  for (const [index, picture] of pictures.entries()) {
    const { pixels, width, height } = picture ?? { pixels: new Uint8Array(0), width: 9, height: 9 };
    const tags = [
      [256, width],
      [257, height],
      [258, 8],
      [259, picture ? 1 : 7],
      [262, 1],
      [273, 0],
      [277, 1],
      [278, height],
      [279, pixels.length],
    ] as const;
    const directory = Buffer.alloc(2 + tags.length * 12 + 4);
    directory.writeUInt16LE(tags.length, 0);
    for (const [position, [tag, value]] of tags.entries()) {
      directory.writeUInt16LE(tag, 2 + position * 12);
      directory.writeUInt16LE(4, 4 + position * 12);
      directory.writeUInt32LE(1, 6 + position * 12);
      directory.writeUInt32LE(tag === 273 ? at + directory.length : value, 10 + position * 12);
    }
    at += directory.length + pixels.length;
    directory.writeUInt32LE(index === pictures.length - 1 ? 0 : at, directory.length - 4);
    parts.push(directory, Buffer.from(pixels));
  }
  return Buffer.concat(parts);
}
