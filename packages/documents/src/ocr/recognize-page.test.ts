import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateImage, turnQuarters, type GrayImage } from '../image/gray-image.ts';
import { boxBefore } from '../image/straighten.ts';
import type { Page, Word } from '../page/page.ts';
import { buildPdf, firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { pictureOf, png, tiff } from '../testing/picture.ts';
import type { OcrEngine } from './choose-engine.ts';
import { recognizePage } from './recognize-page.ts';

/** 200 dots per inch. */
const scale = 200 / 72;
const emptyPage = { mediaBox: [0, 0, 300, 130] };
const written = ['Invoice number 4711', 'Delivered to the harbour office', 'Subtotal 95.00', 'Total 123.45'];
const content = written.map((text, index) => line(text, 20, 105 - index * 25, 12)).join('');
const skew = 0.07;

let scan: GrayImage;
beforeAll(async () => {
  scan = await pictureOf(buildPdf({ pages: [{ ...emptyPage, content }] }), scale);
});

/** `OCR_MODELS=<folder of docwright ocr-models install>` runs the same tests with PP-OCR too. */
const modelsFolder = process.env['OCR_MODELS'];
const engines: OcrEngine[] = modelsFolder === undefined ? ['tesseract'] : ['tesseract', 'ppocr'];

const textOf = (page: Page): string[] =>
  page.text
    .split('\n')
    .map((row) => row.trim())
    .filter(Boolean);
const wordOf = (page: Page, text: string): Word => page.words.find((word) => word.text === text)!;

/** Compares a box in pixels of the scan with the place of the word on the page from which the scan was made. */
function expectTotal({ x0, y0, x1, y1 }: Pick<Word, 'x0' | 'y0' | 'x1' | 'y1'>): void {
  const middle = [(x0 + x1) / 2 / scale, (y0 + y1) / 2 / scale];
  // “Total” starts at x = 20 and is 28 points wide; its letters reach from the baseline, 100 points down, to 9 above.
  expect(Math.abs(middle[0]! - 34)).toBeLessThan(3);
  expect(Math.abs(middle[1]! - 95.5)).toBeLessThan(3);
}

describe.each(engines)('recognition by %s', (engine) => {
  const read = async (bytes: Uint8Array, mimeType: Parameters<typeof recognizePage>[0]['mimeType'], pageNumber = 1) =>
    (await recognizePage({ bytes, mimeType, pageNumber, engine, modelsFolder })).page;

  it('reads a picture: text, words, boxes and confidence', async () => {
    const page = await read(png(scan), 'image/png');
    expect(textOf(page)).toEqual(written);
    expect(page).toMatchObject({
      page_num: 1,
      width: scan.width,
      height: scan.height,
      needs_ocr: false,
      hidden_text: 0,
    });
    const total = wordOf(page, 'Total');
    expectTotal(total);
    expect(total.confidence).toBeGreaterThan(0.8);
    expect(total.engine).toBe(engine);
  });

  it.each([1, 2, 3] as const)(
    'reads a page that lies askew and turned by %s quarters, with boxes as displayed',
    async (quarters) => {
      const askew = rotateImage(scan, skew);
      const page = await read(png(turnQuarters(askew, quarters)), 'image/png');
      expect(textOf(page)).toEqual(written);
      const unturned = boxBefore(wordOf(page, 'Total'), askew, { quarters, skew: 0, scale: 1 });
      expectTotal(boxBefore(unturned, scan, { quarters: 0, skew, scale: 1 }));
    },
  );

  it('reads a scanned page of a PDF without repeating the words of its text layer', async () => {
    const pixels = Buffer.from(scan.pixels).toString('latin1');
    const image = stream(
      pixels,
      `/Type /XObject /Subtype /Image /Width ${scan.width} /Height ${scan.height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    );
    const stamp = line('RECEIVED', 200, 30, 14);
    const pdf = buildPdf({
      extra: [image],
      pages: [
        {
          ...emptyPage,
          content: `q 300 0 0 130 0 0 cm /Im Do Q ${stamp}`,
          resources: `/XObject << /Im ${firstExtraObject} 0 R >>`,
        },
      ],
    });
    const page = await read(pdf, 'application/pdf');
    expect(page.text.match(/RECEIVED/g)).toHaveLength(1);
    expect(wordOf(page, 'RECEIVED').confidence).toBeUndefined();
    const { x0, y0, x1, y1 } = wordOf(page, 'Total');
    expectTotal({ x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale });
  });

  it('reads a picture beside text, at its place and in reading order', async () => {
    const image = stream(
      Buffer.from(scan.pixels).toString('latin1'),
      `/Type /XObject /Subtype /Image /Width ${scan.width} /Height ${scan.height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    );
    const prose = Array.from({ length: 30 }, (_, at) => line('Some words of a letter', 50, 750 - at * 12, 10)).join('');
    const pdf = buildPdf({
      extra: [image],
      pages: [
        {
          content: `${prose} q 300 0 0 130 50 200 cm /Im Do Q ${line('The end', 50, 100, 10)}`,
          resources: `/XObject << /Im ${firstExtraObject} 0 R >>`,
        },
      ],
    });
    const page = await read(pdf, 'application/pdf');
    expect(page).toMatchObject({ read_by: 'mixed', needs_ocr: false });
    expect(page).not.toHaveProperty('unread');
    expect(textOf(page).slice(-6)).toEqual(['Some words of a letter', ...written, 'The end']);
    const { x0, y0, x1, y1 } = wordOf(page, 'Total');
    const [left, top] = [50, 792 - 330];
    const inScan = { x0: x0 - left, y0: y0 - top, x1: x1 - left, y1: y1 - top };
    expectTotal({ x0: inScan.x0 * scale, y0: inScan.y0 * scale, x1: inScan.x1 * scale, y1: inScan.y1 * scale });
  });

  it('finds the table of a picture, with white letters on its dark band', async () => {
    const cells = ['Description', 'Amount', 'Office chairs', '120.00', 'Desk lamps', '45.50'];
    const lines = [100, 75, 50, 25].map((y) => `20 ${y} m 280 ${y} l S\n`).join('');
    const columns = [20, 160, 280].map((x) => `${x} 25 m ${x} 100 l S\n`).join('');
    const texts = cells.map((text, at) => {
      const shown = line(text, at % 2 === 0 ? 26 : 170, 83 - Math.floor(at / 2) * 25, 11);
      return `${at < 2 ? '1' : '0'} g ${shown}`;
    });
    const pdf = buildPdf({
      pages: [{ ...emptyPage, content: `0.2 g 20 75 260 25 re f\n${lines}${columns}${texts.join('')}` }],
    });
    const page = await read(png(await pictureOf(pdf, 300 / 72)), 'image/png');
    expect(page.tables).toMatchObject([{ kind: 'ruled', rows: 3, columns: 2 }]);
    expect(page.tables![0]!.cells.map(({ row, column, text }) => `${row}.${column} ${text}`)).toEqual(
      cells.map((text, at) => `${Math.floor(at / 2)}.${at % 2} ${text}`),
    );
  });

  it('reads each picture of a TIFF file separately, and fails only for a damaged one', async () => {
    const file = tiff([undefined, scan]);
    await expect(read(file, 'image/tiff', 1)).rejects.toMatchObject({ code: 'damaged_page' });
    expect(textOf(await read(file, 'image/tiff', 2))).toEqual(written);
  });

  it('rejects a picture that would use all memory, before decoding it', async () => {
    const bytes = Buffer.from(png({ pixels: new Uint8Array(1), width: 1, height: 1 }));
    bytes.writeUInt32BE(40_000, 16);
    bytes.writeUInt32BE(40_000, 20);
    await expect(read(bytes, 'image/png')).rejects.toMatchObject({ code: 'image_too_large' });
  });

  it('leaves out text that is too faint to see, and counts it', async () => {
    const faint = { ...scan, pixels: scan.pixels.map((shade) => 225 + shade / 8.5) };
    const page = await read(png(faint), 'image/png');
    expect(page).toMatchObject({ text: '', words: [], hidden_text: written.join('').replaceAll(' ', '').length });
  });

  it('stops at a page that takes too long, and when the signal aborts', async () => {
    const input = { bytes: png(scan), mimeType: 'image/png', pageNumber: 1, engine, modelsFolder } as const;
    await expect(recognizePage({ ...input, milliseconds: 1 })).rejects.toMatchObject({ code: 'parse_timeout' });
    const abort = new AbortController();
    const reading = recognizePage({ ...input, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('not wanted')), 50);
    await expect(reading).rejects.toThrow('not wanted');
  });
});

it('reads with Tesseract where PP-OCR is installed and its library does not run on this machine', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docwright-models-'));
  try {
    const runtime = path.join(folder, 'node_modules/onnxruntime-node');
    mkdirSync(runtime, { recursive: true });
    for (const name of ['det.onnx', 'rec.onnx']) writeFileSync(path.join(folder, name), 'a model');
    writeFileSync(path.join(runtime, 'package.json'), '{"main":"index.js"}');
    writeFileSync(path.join(runtime, 'index.js'), 'throw new Error("wrong format of a library");');
    const input = { bytes: png(scan), mimeType: 'image/png', pageNumber: 1, modelsFolder: folder } as const;
    expect((await recognizePage({ ...input, engine: 'auto' })).page.text).toContain('Total');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
