import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, writeBarcode, type WriteInputBarcodeFormat } from 'zxing-wasm/writer';
import type { Page } from '../../page/page.ts';
import { parseDocument } from '../../parsing/parse-document.ts';
import { recognizePage } from '../../ocr/recognize-page.ts';
import { buildPdf, firstExtraObject, line, stream } from '../../testing/build-pdf.ts';
import { isCreditorReference, isIban, isQrReference } from './check-digits.ts';
import { readEpc } from './code-data.ts';
import { readCodes } from './read-codes.ts';
import { readSwissQrBill } from './swiss-qr-bill.ts';

/** An example of SIX's implementation guidelines, with its check digits. */
const swiss =
  `SPC|0200|1|CH4431999123000889012|S|Robert Schneider AG|Rue du Lac|1268|2501|Biel|CH||||||||1949.75|CHF|S|Pia-Maria Rutschmann-Schnyder|Grosse Marktgasse|28|9400|Rorschach|CH|QRR|210000000003139471430009017|Order of 15 June 2026|EPD|//S1/10/10201409`.split(
    '|',
  );
const epc = [
  'BCD',
  '002',
  '1',
  'SCT',
  'BHBLDEHHXXX',
  'Franz Mustermänn',
  'DE71110220330123456789',
  'EUR12.3',
  'GDDS',
  'RF18539007547034',
];

interface Squares {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

beforeAll(async () => {
  const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer }, fireImmediately: true });
});

async function squaresOf(text: string, format: WriteInputBarcodeFormat): Promise<Squares> {
  const { symbol, error } = await writeBarcode(text, { format });
  expect(error).toBe('');
  return { data: symbol.data, width: symbol.width, height: symbol.height };
}

/** A code as filled squares, as programs draw it in a PDF. Bars are as high as asked for. */
function drawn({ data, width, height }: Squares, x: number, y: number, size: number, barHeight = size): string {
  let content = '0 g ';
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (data[row * width + column]! > 127) continue;
      content += `${x + column * size} ${y + (height - 1 - row) * size} ${size} ${height === 1 ? barHeight : size} re `;
    }
  }
  return `${content} f\n`;
}

/** A code as a picture in a PDF. */
function pictureOf({ data, width, height }: Squares): string {
  const pixels = [...data].map((pixel) => pixel.toString(16).padStart(2, '0')).join('');
  return stream(
    `${pixels}>`,
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode`,
  );
}

async function recognised(bytes: Uint8Array): Promise<Page> {
  return (await recognizePage({ bytes, mimeType: 'application/pdf', pageNumber: 1, engine: 'tesseract' })).page;
}

async function firstPage(
  content: string,
  more: { extra?: string[]; resources?: string; rotate?: number } = {},
): Promise<Page> {
  const { extra = [], ...page } = more;
  const bytes = buildPdf({ extra, pages: [{ content: line('Invoice', 72, 700) + content, ...page }] });
  const { pages } = await parseDocument({ bytes, mimeType: 'application/pdf' });
  if (pages[0]!.needs_ocr) return await recognised(bytes);
  return pages[0]!;
}

describe('codes on pages of PDFs', () => {
  it('drawn as squares is read with its place and fields', async () => {
    const squares = await squaresOf(swiss.join('\n'), 'QRCode');
    const page = await firstPage(drawn(squares, 72, 100, 2));
    expect(page.read_by).toBe('text');
    expect(page.unread).toBeUndefined();
    const [code] = page.machine_data!;
    expect(code).toMatchObject({
      kind: 'qr_code',
      profile: 'swiss_qr_bill',
      data: {
        iban: 'CH4431999123000889012',
        creditor: { name: 'Robert Schneider AG', city: 'Biel', building: '1268' },
        amount: '1949.75',
        currency: 'CHF',
        debtor: { postal_code: '9400' },
        reference_type: 'QRR',
        reference: '210000000003139471430009017',
        message: 'Order of 15 June 2026',
        billing_information: '//S1/10/10201409',
      },
    });
    expect(code!.data).not.toHaveProperty('problems');
    const side = squares.width * 2;
    expect(code!.box!.x0).toBeCloseTo(72, -1);
    expect(code!.box!.y0).toBeCloseTo(792 - 100 - side, -1);
    expect(code!.box!.x1).toBeCloseTo(72 + side, -1);
  });

  it('as a picture, turned, is read too', async () => {
    const picture = pictureOf(await squaresOf(epc.join('\n'), 'QRCode'));
    const page = await firstPage('q 90 0 0 90 300 300 cm /X Do Q', {
      extra: [picture],
      resources: `/XObject << /X ${firstExtraObject} 0 R >>`,
      rotate: 90,
    });
    expect(page.machine_data).toMatchObject([
      {
        kind: 'qr_code',
        profile: 'epc',
        data: { iban: 'DE71110220330123456789', amount: '12.3', name: 'Franz Mustermänn' },
      },
    ]);
    expect(page.text).toBe('Invoice');
    expect(page).not.toHaveProperty('unread');
  });

  it.each([
    ['EAN13', '4006381333931', 'ean_13'],
    ['EAN8', '96385074', 'ean_8'],
    ['Code128', 'LOT-2026/07', 'code_128'],
    ['Code39', 'DW 4711', 'code_39'],
    ['DataMatrix', 'Serial 12', 'data_matrix'],
    ['PDF417', 'A boarding pass', 'pdf_417'],
    ['Aztec', 'A ticket', 'aztec'],
  ] as const)('%s is read with the name of its kind', async (format, text, profile) => {
    const page = await firstPage(drawn(await squaresOf(text, format), 72, 300, 1.5, 40));
    expect(page.machine_data).toMatchObject([{ kind: 'bar_code', profile, data: { text } }]);
  });

  it('several are in the order of the page, and text alone has none', async () => {
    const [one, other] = [await squaresOf('first', 'QRCode'), await squaresOf('second', 'QRCode')];
    const page = await firstPage(drawn(other, 72, 100, 2) + drawn(one, 300, 500, 2));
    expect(page.machine_data?.map(({ data }) => data['text'])).toEqual(['first', 'second']);
    expect(await firstPage('')).not.toHaveProperty('machine_data');
  });

  it('that are covered are not read, as a person cannot scan them', async () => {
    const code = drawn(await squaresOf('hidden', 'QRCode'), 72, 300, 2);
    expect(await firstPage(`${code} 1 g 60 290 100 100 re f`)).not.toHaveProperty('machine_data');
  });

  it('that are damaged beyond their repair are named', async () => {
    const squares = await squaresOf(swiss.join('\n'), 'QRCode');
    for (let row = 20; row < 36; row += 1) {
      for (let column = 14; column < 42; column += 1)
        squares.data[row * squares.width + column] = (row * column) % 3 === 0 ? 0 : 255;
    }
    const page = await firstPage(drawn(squares, 72, 100, 3));
    expect(page).not.toHaveProperty('machine_data');
    expect(page.unread).toMatchObject([{ kind: 'picture', message: expect.stringContaining('QR code') }]);
  });

  it('beside a scan are read with its recognition', async () => {
    const content = drawn(await squaresOf('on a scan', 'QRCode'), 300, 300, 3);
    const page = await recognised(buildPdf({ pages: [{ content: line('Invoice', 72, 700) + content }] }));
    expect(page.machine_data).toMatchObject([{ kind: 'qr_code', profile: 'plain', data: { text: 'on a scan' } }]);
  });
});

it('no code is read from a picture without one, small or large', async () => {
  for (const [width, height] of [
    [1, 1],
    [2000, 4],
    [3000, 3000],
  ] as const) {
    const image = { pixels: new Uint8Array(width * height).fill(200), width, height };
    expect(await readCodes({ image, scale: 1, x: 0, y: 0 })).toEqual({ machineData: [], unread: [] });
  }
});

describe('a Swiss QR-bill', () => {
  const changed = (index: number, value: string): string =>
    swiss.map((text, at) => (at === index ? value : text)).join('\r\n');
  it.each([
    ['a wrong digit of the IBAN', 3, 'CH4431999123000889013', 'iban', 'check digits'],
    ['a wrong digit of the reference', 28, '210000000003139471430009018', 'reference', 'check digit'],
    ['an amount with a comma', 18, '1949,75', 'amount', 'two decimals'],
    ['another currency', 19, 'USD', 'currency', 'CHF nor EUR'],
    ['an unknown kind of reference', 27, 'ZZZ', 'reference_type', 'unknown'],
  ])('with %s names it and leaves it out', (_, index, value, field, problem) => {
    const { data } = readSwissQrBill(changed(index, value))!;
    expect(data).not.toHaveProperty(field);
    expect((data['problems'] as string[]).join(' ')).toContain(problem);
  });

  it('that is cut names what is missing', () => {
    const { data } = readSwissQrBill(swiss.slice(0, 12).join('\n'))!;
    expect((data['problems'] as string[]).join(' ')).toMatch(/end of the payment part/);
  });

  it('is no other text', () => {
    expect(readSwissQrBill('SPCX\n0200')).toBeUndefined();
    expect(readEpc(swiss.join('\n'))).toBeUndefined();
  });
});

describe('an EPC code', () => {
  it('has its fields', () => {
    expect(readEpc(epc.join('\n'))).toEqual({
      profile: 'epc',
      data: {
        version: '002',
        transfer: 'SCT',
        bic: 'BHBLDEHHXXX',
        name: 'Franz Mustermänn',
        iban: 'DE71110220330123456789',
        amount: '12.3',
        currency: 'EUR',
        purpose: 'GDDS',
        reference: 'RF18539007547034',
      },
    });
  });
  it.each([
    [6, 'DE71110220330123456788', 'iban'],
    [7, 'USD12.30', 'amount'],
    [7, 'EUR0', 'amount'],
    [9, 'RF19539007547034', 'reference'],
    [4, 'BHBL', 'bic'],
  ])('names a wrong line %i and leaves it out', (index, value, field) => {
    const { data } = readEpc(epc.map((text, at) => (at === index ? value : text)).join('\n'))!;
    expect(data).not.toHaveProperty(field);
    expect(data['problems']).toHaveLength(1);
  });
});

it('check digits are those of public examples', () => {
  expect(['GB82WEST12345698765432', 'CH9300762011623852957', 'NO9386011117947'].every(isIban)).toBe(true);
  expect(['GB82WEST12345698765433', 'CH93', ''].some(isIban)).toBe(false);
  expect(isCreditorReference('RF712348231')).toBe(true);
  expect(isQrReference('210000000003139471430009017')).toBe(true);
});
