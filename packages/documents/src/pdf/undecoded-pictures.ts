import type { Box } from '../page/box.ts';
import type { UnreadPart } from '../page/unread.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';
import type { PageGeometry } from './page-geometry.ts';
import { largePictures } from './page-pictures.ts';
import type { PlacedPicture } from './page-surfaces.ts';

/** A page with more pictures is judged by the first ones. */
const maxPictures = 1_000;
/**
 * Pixels and bytes that are decoded for one page. A small file can show a large picture many times, and PDFium decodes it each time.
 * The picture that reaches the limit is still judged, since a large drawing exceeds it alone; later ones count as whole.
 */
const maxDecoded = 200_000_000;
/** Share of a picture's data. Some programs leave out the last line. */
const minDecodedShare = 0.98;
/** Bits of a pixel in a file, by the bits with which PDFium draws it. */
const storedBits: Readonly<Record<number, readonly number[]>> = { 1: [1], 8: [2, 3, 4, 6, 8], 24: [9, 12, 16, 24] };
/** A JPEG picture ends with its end marker, and a few programs add bytes to it. */
const maxBytesAfterEnd = 1_024;
const endMarker = Buffer.from([0xff, 0xd9]);
/** Rows of a JPEG picture that are missing are drawn in a middle shade, not in white or black. */
const [lightest, darkest] = [250, 5];

/** What the file says of one picture. */
interface PictureKind {
  width: number;
  height: number;
  /** The number of filters of its data. */
  filters: number;
  /** The last filter, which says how the picture is coded; empty for bare pixels. */
  coding: string;
}

/** The pixels and bytes that may still be decoded. */
interface Rest {
  decoded: number;
}

/** The large pictures of a loaded page that cannot be drawn, or that are drawn in part because their data end early. */
export function undecodedPictures(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  pictures: readonly PlacedPicture[],
  large: readonly Box[],
): UnreadPart[] {
  if (large.length === 0) return [];
  const [undrawn, partly]: [Box[], Box[]] = [[], []];
  const rest: Rest = { decoded: maxDecoded };
  for (const { object, box } of pictures.slice(0, maxPictures)) {
    if (!large.some((whole) => isWithin(box, whole))) continue;
    const kind = readKind(pdfium, object);
    if (rest.decoded <= 0 && isDecodedAtOnce(kind)) continue;
    const bits = bitsOf(pdfium, page, object);
    if (isDecodedAtOnce(kind)) rest.decoded -= kind.width * kind.height;
    if (bits === 0 || !isDrawn(pdfium, object, kind)) undrawn.push(box);
    else if (rest.decoded > 0 && !isWhole(pdfium, object, kind, bits, rest)) partly.push(box);
  }
  const named = (boxes: Box[], message: string): UnreadPart[] =>
    largePictures(boxes, geometry).map((box) => ({ kind: 'codec', box, message }));
  return [...named(undrawn, notDrawn), ...named(partly, drawnInPart)];
}

const remedy = 'Save the document again where it was made, or scan it again, and upload that.';
const notDrawn = `A picture was not read, because its data are damaged or of an unknown format. ${remedy}`;
const drawnInPart = `A part of a picture was not read, because its data end early or are damaged. ${remedy}`;

function readKind(pdfium: Pdfium, picture: number): PictureKind {
  const { call } = pdfium;
  const size = 128;
  return withMemory(pdfium, size, (buffer) => {
    const isKnown = call.FPDFImageObj_GetImagePixelSize(picture, buffer, buffer + 4) !== 0;
    const [width = 0, height = 0] = isKnown ? pdfium.integers().subarray(buffer / 4, buffer / 4 + 2) : [];
    const filters = call.FPDFImageObj_GetImageFilterCount(picture);
    const length = filters > 0 ? call.FPDFImageObj_GetImageFilter(picture, filters - 1, buffer, size) : 0;
    const coding = Buffer.from(pdfium.bytes().subarray(buffer, buffer + Math.max(0, Math.min(length, size) - 1)));
    return { width, height, filters, coding: coding.toString('latin1') };
  });
}

/** Whether a question about a picture already decodes its data. */
function isDecodedAtOnce({ filters, coding }: PictureKind): boolean {
  return filters > 1 || /JPX|JBIG2/u.test(coding);
}

/** Bits with which PDFium draws a pixel; 0 if it cannot. */
function bitsOf(pdfium: Pdfium, page: number, picture: number): number {
  return withMemory(pdfium, 32, (buffer) => {
    const isKnown = pdfium.call.FPDFImageObj_GetImageMetadata(picture, page, buffer) !== 0;
    return isKnown ? pdfium.integers()[buffer / 4 + 4]! : 0;
  });
}

function isDrawn({ call }: Pdfium, picture: number, { coding }: PictureKind): boolean {
  // Only these are decoded as a whole before PDFium knows whether they can be.
  if (!/JBIG2/u.test(coding)) return true;
  const bitmap = call.FPDFImageObj_GetBitmap(picture);
  if (bitmap !== 0) call.FPDFBitmap_Destroy(bitmap);
  return bitmap !== 0;
}

/** Whether the data of a drawn picture reach its end. Those of JBIG2 do not say it, and those of JPEG 2000 are not drawn without it. */
function isWhole(
  pdfium: Pdfium,
  picture: number,
  { width, height, coding }: PictureKind,
  bits: number,
  rest: Rest,
): boolean {
  if (/JPX|JBIG2/u.test(coding)) return true;
  const length = pdfium.call.FPDFImageObj_GetImageDataDecoded(picture, 0, 0);
  rest.decoded -= length;
  if (/^(?:DCTDecode|DCT)$/u.test(coding)) {
    if (hasEnd(pdfium, picture, length)) return true;
    rest.decoded -= width * height;
    return !endsInMiddleShade(pdfium, picture);
  }
  if (/CCF|CCITT/u.test(coding)) {
    // The comparison of codes takes as long for a narrow row.
    rest.decoded -= Math.max(width, minRowCost) * height;
    const { rows } = endOf(pdfium, picture);
    return rows <= height * (1 - minDecodedShare) || isWholeFax(dataOf(pdfium, picture, length), rows);
  }
  const shares = (storedBits[bits] ?? []).map((stored) => length / (Math.ceil((width * stored) / 8) * height));
  return (
    shares.length === 0 ||
    shares.at(-1)! >= minDecodedShare ||
    shares.some((share) => share >= minDecodedShare && share <= 1 + 1 / height)
  );
}

function hasEnd(pdfium: Pdfium, picture: number, length: number): boolean {
  return dataOf(pdfium, picture, length).subarray(-maxBytesAfterEnd).includes(endMarker);
}

/** The data of a picture as its own filter takes them. */
function dataOf(pdfium: Pdfium, picture: number, length: number): Buffer {
  if (length === 0) return Buffer.alloc(0);
  return withMemory(pdfium, length, (buffer) => {
    pdfium.call.FPDFImageObj_GetImageDataDecoded(picture, buffer, length);
    return Buffer.from(pdfium.bytes().slice(buffer, buffer + length));
  });
}

/** Bytes that hold the end of a fax, and zeros that fill a block may follow. */
const faxEndBytes = 10;
/** Two ends of a line follow each other; in two dimensions, a bit says how the next line is coded. */
const faxEnd = /0{11}11?0{11,}1/u;
/** Bits of a row without a change. */
const maxRowBits = 64;
const bitsInByte = 8;
/** Pixels. */
const minRowCost = 2_000;

/**
 * Whether the data of a fax reach the end of its picture, whose last rows have one shade: rows that are missing are drawn like that.
 * Data of a whole one have an end marker, or end in as many repetitions of the bits of such a row. The shade itself says nothing,
 * since a mask and some dictionaries turn it.
 */
function isWholeFax(data: Buffer, lastRows: number): boolean {
  let end = data.length;
  while (end > 0 && data[end - 1] === 0) end -= 1;
  const last = [...data.subarray(Math.max(0, end - faxEndBytes), end)];
  if (faxEnd.test(last.map((byte) => byte.toString(2).padStart(bitsInByte, '0')).join(''))) return true;
  const bit = (at: number): number => (data[at >> 3]! >> (7 - (at & 7))) & 1;
  // Up to seven zeros fill the last byte.
  for (let unused = 0; unused < bitsInByte; unused += 1) {
    const bits = data.length * bitsInByte - unused;
    for (let rowBits = 1; rowBits <= maxRowBits; rowBits += 1) {
      // The first of the rows can be coded in another way, as it differs from the one above it.
      const repeated = Math.max(0, lastRows - 2) * rowBits;
      if (repeated + rowBits > bits) break;
      let equal = 0;
      while (equal < repeated && bit(bits - 1 - equal) === bit(bits - 1 - equal - rowBits)) equal += 1;
      if (equal === repeated) return true;
    }
    if (bits === 0 || bit(bits - 1) === 1) break;
  }
  return false;
}

function endsInMiddleShade(pdfium: Pdfium, picture: number): boolean {
  const { rows, shade } = endOf(pdfium, picture);
  return rows > 0 && shade > darkest && shade < lightest;
}

/** The rows of one shade at the end of a picture, and the shade. A picture that cannot be drawn has none. */
function endOf({ call, bytes }: Pdfium, picture: number): { rows: number; shade: number } {
  const bitmap = call.FPDFImageObj_GetBitmap(picture);
  if (bitmap === 0) return { rows: 0, shade: 0 };
  const [columns, stride] = [call.FPDFBitmap_GetWidth(bitmap), call.FPDFBitmap_GetStride(bitmap)];
  const length = columns * (stride >= columns * 3 ? 3 : 1);
  const first = call.FPDFBitmap_GetBuffer(bitmap);
  const height = call.FPDFBitmap_GetHeight(bitmap);
  const row = (at: number): Buffer => Buffer.from(bytes().buffer, first + stride * at, length);
  const shade = row(height - 1)[0] ?? 0;
  const evenRow = Buffer.alloc(length, shade);
  let rows = 0;
  while (rows < height && row(height - 1 - rows).equals(evenRow)) rows += 1;
  call.FPDFBitmap_Destroy(bitmap);
  return { rows, shade };
}

function isWithin(box: Box, whole: Box): boolean {
  return box.x0 >= whole.x0 && box.x1 <= whole.x1 && box.y0 >= whole.y0 && box.y1 <= whole.y1;
}
