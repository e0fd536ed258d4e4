import { randomBytes } from 'node:crypto';
import { decode } from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { recognizePage } from '../ocr/recognize-page.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf, png, tiff } from '../testing/picture.ts';
import { drawPage } from './draw-page.ts';

const mediaBox = [0, 0, 300, 130];
const written = ['Invoice number 4711', 'Delivered to the harbour office', 'Subtotal 95.00', 'Total 123.45'];
const content = written.map((text, index) => line(text, 20, 105 - index * 25, 12)).join('');
const pdf = buildPdf({ pages: [{ mediaBox, content }] });

describe('the picture of a page', () => {
  it('of a PDF is legible: recognition reads it back', async () => {
    const picture = await drawPage({ bytes: pdf, mimeType: 'application/pdf', pageNumber: 1, longestSide: 1000 });
    expect(picture).toMatchObject({ mimeType: 'image/jpeg', width: 1000 });
    const { page } = await recognizePage({ bytes: picture.bytes, mimeType: 'image/jpeg', pageNumber: 1 });
    expect(rowsOf(page.text)).toEqual(written);
  });

  it('of a part of a PDF shows that part alone, larger', async () => {
    const part = { x0: 0, y0: 0.65, x1: 1, y1: 1 };
    const picture = await drawPage({ bytes: pdf, mimeType: 'application/pdf', pageNumber: 1, longestSide: 1200, part });
    expect(picture.width).toBe(1200);
    const { page } = await recognizePage({ bytes: picture.bytes, mimeType: 'image/jpeg', pageNumber: 1 });
    expect(page.text.split(/\s+/)).toEqual(['Total', '123.45']);
  });

  it('of a scan is the scan itself if it fits, otherwise a smaller one, also of a part', async () => {
    const scan = await pictureOf(pdf, 4);
    const bytes = png(scan);
    expect((await drawPage({ bytes, mimeType: 'image/png', pageNumber: 1 })).bytes).toEqual(new Uint8Array(bytes));
    const small = await drawPage({ bytes, mimeType: 'image/png', pageNumber: 1, longestSide: 600 });
    expect(small).toMatchObject({ mimeType: 'image/jpeg', width: 600 });
    const part = { x0: 0, y0: 0, x1: 0.5, y1: 0.5 };
    const second = { bytes: tiff([scan, scan]), mimeType: 'image/tiff', pageNumber: 2, part } as const;
    expect(await drawPage(second)).toMatchObject({ width: 600, height: 260 });
  });

  it('has at most the given number of bytes, even if it shows noise', async () => {
    const pixels = new Uint8Array(randomBytes(500 * 500));
    const bytes = png({ pixels, width: 500, height: 500 });
    const picture = await drawPage({ bytes, mimeType: 'image/png', pageNumber: 1, maxBytes: 30_000 });
    expect(picture.bytes.length).toBeLessThanOrEqual(30_000);
    expect(decode(picture.bytes).width).toBe(picture.width);
  });

  it('of a page that does not exist is an error', async () => {
    await expect(drawPage({ bytes: pdf, mimeType: 'application/pdf', pageNumber: 2 })).rejects.toMatchObject({
      code: 'damaged_page',
    });
  });
});

function rowsOf(text: string): string[] {
  return text
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '');
}
