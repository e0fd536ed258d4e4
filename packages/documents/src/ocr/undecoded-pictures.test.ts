import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { buildPdf, firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { readOnlyPage } from '../testing/read-pdf.ts';
import { recognizePage } from './recognize-page.ts';

const [width, height] = [120, 100];
const gray = '/ColorSpace /DeviceGray /BitsPerComponent 8';
const bilevel = '/ColorSpace /DeviceGray /BitsPerComponent 1';
const noPicture = 'This is no picture. '.repeat(30);
const shades = Uint8Array.from({ length: width * height }, (_, at) => (at * 7919) % 251);
const pixels = Buffer.from(shades).toString('latin1');
const packed = deflateSync(shades).toString('latin1');
const colours = Uint8Array.from({ length: shades.length * 4 }, (_, at) => shades[at >> 2]!);
const photo = Buffer.from(jpeg.encode({ data: colours, width, height }, 80).data).toString('latin1');
/** Squares in two shades, made for this test with OpenJPEG. */
const jpeg2000 = Buffer.from(
  [
    'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAZAAAAHgAAQcHAAAAAAAPY29scgEAAAAA',
    'ABEAAAGkanAyY/9P/1EAKQAAAAAAeAAAAGQAAAAAAAAAAAAAAHgAAABkAAAAAAAAAAAAAQcBAf9SAAwAAAABAAUEBAAA/1wAI0J3',
    'IHbwdvB2wG8AbwBu4GdQZ1BnaFAFUAVQR1fTV9NXYv9kACUAAUNyZWF0ZWQgYnkgT3BlbkpQRUcgdmVyc2lvbiAyLjUuNP+QAAoA',
    'AAAAARMAAf+TwfAKEgcON9zB4WD4A4HBgBTUwlg8BDXLB2jix8BsfEOnymgXTLNul57zfqZTuu0ZDBq6wSDuSkZr0tq5W5UWBEEj',
    'OGOCqcEZKX+rfeOw6pLNnVAfzQ9/uMOa6HNQF9wZO3kx0rvLfnr0M3Z6pqNjd7HJ4vZ2jVO5+VjuspVSdy4+TnqCiA23XaPlZQ7K',
    'kTwnmajKHB8OB/MRMI5jnpnmDRo7nh5p6F6jQlUIoV1CPsGcR/qi9OAJs1iWYAzrGnBEfCfc2ElqM/gypsfagcF9B0V1PqKGKYTZ',
    'eOqj/LB8zf2GjrG3MTq8RhyE0hOl8p378z+/M/vzP781c7GpKgS6X6iR5B6A/9k=',
  ].join(''),
  'base64',
).toString('latin1');
const below = colours.map((shade, at) => (at > colours.length * 0.7 ? 255 : shade));
const whiteBelow = Buffer.from(jpeg.encode({ data: below, width, height }, 80).data).toString('latin1');
/** A black bar between two white ones in a fax: the first row in full, then one pixel to the right and back again; then `lastRows`. */
const faxOf = (rows: number, end: string, lastRow = '111', lastRows = 1): string => {
  const moved = Array.from({ length: rows - 1 - lastRows }, (_, row) => (row % 2 === 0 ? '0110111' : '0100101'));
  const again = (lastRow === blackRow ? '11' : '1').repeat(lastRows - 1);
  const bits = ['001', '00101001', '000001101100', '1', ...moved, lastRow, again, end].join('');
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/gu)!;
  return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('');
};
const faxEnd = '000000000001000000000001';
const [whiteRow, blackRow] = ['00011', '001001101010000001111000000101000'];
const faxAs = (kind: string, more = ''): string =>
  `${kind} /BitsPerComponent 1 /DecodeParms << /K -1 /Columns ${width} /Rows ${height} ${more} >>`;
const faxKind = faxAs('/ColorSpace /DeviceGray');
const faxImage = (data: string, kind = faxKind): string => image(data, '/Filter /CCITTFaxDecode', kind);
const upperPart = ({ length }: string): number => Math.floor(length * 0.6);

function image(data: string, filter: string, more = gray, size: readonly number[] = [width, height]): string {
  const [columns, rows] = size;
  return stream(data, `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} ${filter} ${more}`);
}

/** A page that shows a picture at (100, 200), 300 points wide and 200 high. */
function pageWith(picture: string, text = ''): Parameters<typeof buildPdf>[0] {
  const resources = `/XObject << /Im ${firstExtraObject} 0 R >>`;
  return { extra: [picture], pages: [{ content: `q 300 0 0 200 100 200 cm /Im Do Q ${text}`, resources }] };
}

const box = { x0: 100, y0: 392, x1: 400, y1: 592 };
const unreadOf = ({ unread = [] }: Page): object[] => unread.map(({ kind, box: place }) => ({ kind, box: place }));

describe('a picture is named with its place if it cannot be drawn:', () => {
  it.each([
    ['JPEG 2000', image(noPicture, '/Filter /JPXDecode', '')],
    ['JPEG', image(noPicture, '/Filter /DCTDecode')],
    ['JBIG2', image(noPicture, '/Filter /JBIG2Decode', bilevel)],
    ['a mask of JBIG2', image(noPicture, '/Filter /JBIG2Decode', '/ImageMask true /BitsPerComponent 1')],
    ['an unknown filter', image(noPicture, '/Filter /NoSuchDecode')],
    ['no data', image('', '/Filter /DCTDecode')],
  ])('%s', async (_, picture) => {
    for (const text of ['', line('Total 12', 50, 700)]) {
      expect(unreadOf(await readOnlyPage(pageWith(picture, text)))).toEqual([{ kind: 'codec', box }]);
    }
  });

  it('inside of a form', async () => {
    const picture = image(noPicture, '/Filter /DCTDecode');
    const resources = `/Resources << /XObject << /Im ${firstExtraObject} 0 R >> >>`;
    const form = stream(
      'q 100 0 0 100 0 0 cm /Im Do Q',
      `/Type /XObject /Subtype /Form /BBox [0 0 100 100] ${resources}`,
    );
    const content = 'q 3 0 0 2 100 200 cm /Fm Do Q';
    const page = { content, resources: `/XObject << /Fm ${firstExtraObject + 1} 0 R >>` };
    expect(unreadOf(await readOnlyPage({ extra: [picture, form], pages: [page] }))).toEqual([{ kind: 'codec', box }]);
  });
});

describe('a picture is named if its data end early:', () => {
  it.each([
    ['JPEG', image(photo.slice(0, upperPart(photo)), '/Filter /DCTDecode')],
    ['packed pixels', image(packed.slice(0, upperPart(packed)), '/Filter /FlateDecode')],
    ['bare pixels', image(pixels.slice(0, upperPart(pixels)), '')],
    ['JPEG 2000', image(jpeg2000.slice(0, upperPart(jpeg2000)), '/Filter /JPXDecode', '')],
    ['JPEG 2000 without an end marker', image(jpeg2000.slice(0, -2), '/Filter /JPXDecode', '')],
    ['fax', faxImage(faxOf(60, ''))],
    ['fax as a mask', faxImage(faxOf(60, ''), faxAs('/ImageMask true'))],
    ['fax of turned shades', faxImage(faxOf(60, ''), faxAs('/ColorSpace /DeviceGray /Decode [1 0]', '/BlackIs1 true'))],
    ['grey JPEG', image(whiteBelow.slice(0, upperPart(whiteBelow)), '/Filter /DCTDecode')],
    ['packed pixels that are none', image(noPicture, '/Filter /FlateDecode')],
  ])('%s', async (_, picture) => {
    expect(unreadOf(await readOnlyPage(pageWith(picture)))).toEqual([{ kind: 'codec', box }]);
  });
});

it.each([
  ['JPEG', image(photo, '/Filter /DCTDecode', '/ColorSpace /DeviceRGB /BitsPerComponent 8')],
  [
    'JPEG without an end marker',
    image(photo.slice(0, -2), '/Filter /DCTDecode', '/ColorSpace /DeviceRGB /BitsPerComponent 8'),
  ],
  ['grey JPEG with white below and without an end marker', image(whiteBelow.slice(0, -2), '/Filter /DCTDecode')],
  ['JPEG 2000', image(jpeg2000, '/Filter /JPXDecode', '')],
  ['fax', faxImage(faxOf(height, faxEnd))],
  ['fax without an end marker', faxImage(faxOf(height, ''))],
  ['fax of two dimensions', faxImage(faxOf(height, '00000000000110000000000011', blackRow, 20))],
  ['packed pixels', image(packed, '/Filter /FlateDecode')],
  ['two bits a pixel', image(pixels.slice(0, (width / 4) * height), '', '/ColorSpace /DeviceGray /BitsPerComponent 2')],
  ['16 bits a pixel', image(pixels.repeat(2), '', '/ColorSpace /DeviceGray /BitsPerComponent 16')],
  ['a mask', image(pixels.slice(0, (width / 8) * height), '', '/ImageMask true /BitsPerComponent 1')],
  ['bare pixels without the last row', image(pixels.slice(0, -width), '')],
])('a whole picture is not named: %s', async (_, picture) => {
  expect(await readOnlyPage(pageWith(picture))).not.toHaveProperty('unread');
});

describe.each([
  ['in grey', '/ColorSpace /DeviceGray', ''],
  ['in grey, with 1 for black', '/ColorSpace /DeviceGray', '/BlackIs1 true'],
  ['in grey, with 1 for black and turned', '/ColorSpace /DeviceGray /Decode [1 0]', '/BlackIs1 true'],
  ['as a mask', '/ImageMask true', ''],
  ['as a mask, with 1 for black', '/ImageMask true', '/BlackIs1 true'],
  ['as a mask, with 1 for black and turned', '/ImageMask true /Decode [1 0]', '/BlackIs1 true'],
])('a whole fax without an end marker is not named: %s', (_, kind, more) => {
  it.each([
    ['a white last row', whiteRow, 1],
    ['a black last row', blackRow, 1],
    ['a white lower part', whiteRow, 20],
    ['a black lower part', blackRow, 20],
  ])('%s', async (_end, row, rows) => {
    expect(await readOnlyPage(pageWith(faxImage(faxOf(height, '', row, rows), faxAs(kind, more))))).not.toHaveProperty(
      'unread',
    );
  });
});

it.each([
  ['grey', gray],
  ['of a size that no memory can hold', '/ColorSpace /DeviceRGB /BitsPerComponent 8'],
])('a picture with too many pixels is neither drawn nor read, and named: %s', async (_, kind) => {
  const picture = image(packed, '/Filter /FlateDecode', kind, [60_000, 60_000]);
  const page = await readOnlyPage(pageWith(picture, line('Total 12', 50, 700)));
  expect(page).toMatchObject({ text: 'Total 12', needs_ocr: false });
  expect(unreadOf(page)).toEqual([{ kind: 'picture_skipped', box }]);
});

it('uses of large pictures are judged up to a number of decoded pixels', async () => {
  const uses = (name: string, first: number, last: number): string =>
    Array.from({ length: last - first + 1 }, (_, at) => `q 100 0 0 60 100 ${(first + at) * 80} cm /${name} Do Q`).join(
      ' ',
    );
  const size = [11_000, 11_000];
  const cut = image(packed, '/Filter /FlateDecode', gray, size);
  const fax = faxImage(faxOf(60, '')).replace(/120|100/gu, '11000');
  for (const [picture, judged] of [
    [fax, 2],
    [image(noPicture, '/Filter [/FlateDecode /JBIG2Decode]', bilevel, size), 2],
    // Its data are short, so that little is decoded.
    [cut, 4],
  ] as const) {
    const resources = `/XObject << /Im ${firstExtraObject} 0 R /No ${firstExtraObject + 1} 0 R >>`;
    const unknown = image(noPicture, '/Filter /NoSuchDecode');
    const content = `${uses('Im', 1, 4)} ${uses('No', 5, 5)}`;
    const page = await readOnlyPage({ extra: [picture, unknown], pages: [{ content, resources }] });
    expect(page.unread).toHaveLength(judged + 1);
  }
});

it('recognition keeps what was named', async () => {
  const bytes = buildPdf(pageWith(image(noPicture, '/Filter /JPXDecode', '')));
  const { page } = await recognizePage({ bytes, mimeType: 'application/pdf', pageNumber: 1, engine: 'tesseract' });
  expect(page.text).toBe('');
  expect(unreadOf(page)).toEqual([{ kind: 'codec', box }]);
});
