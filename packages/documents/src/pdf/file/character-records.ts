import type { Pdfium } from './pdfium.ts';

/**
 * PDFium stores the characters of a text page in a `std::deque`: in blocks of records of 80 bytes. A call for each attribute of
 * each character would take longer than all other work on them, so the records are read in place. These are the offsets in the
 * pinned version of `@embedpdf/pdfium`; `findRecords` checks them on every page.
 */
const dequeFields = { map: 20, start: 32, size: 36 };
export const recordBytes = 80;
const recordsPerBlock = Math.floor(4096 / recordBytes);

/** Places in a record, in units of four bytes. */
export const recordPlaces = {
  unicode: 1,
  /** The outline of the glyph. */
  inkLeft: 5,
  inkBottom: 6,
  inkRight: 7,
  inkTop: 8,
  /** The letter with its space, as high as its line. */
  left: 9,
  bottom: 10,
  right: 11,
  top: 12,
  object: 19,
} as const;

/** Returns the offset of a character's record, in units of four bytes. */
export type RecordOf = (index: number) => number;

/** Finds the records of a loaded text page. Undefined if PDFium's functions return other values for some of them. */
export function findRecords(pdfium: Pdfium, textPage: number, count: number, scratch: number): RecordOf | undefined {
  const integers = pdfium.integers();
  if (count === 0 || integers[(textPage + dequeFields.size) / 4] !== count) return undefined;
  const map = integers[(textPage + dequeFields.map) >> 2]! >> 2;
  const start = integers[(textPage + dequeFields.start) >> 2]! | 0;
  const recordOf: RecordOf = (index) => {
    const at = (start + index) | 0;
    const block = (at / recordsPerBlock) | 0;
    return ((integers[map + block]! >> 2) + (at - block * recordsPerBlock) * (recordBytes >> 2)) | 0;
  };
  const copyOf = copiedRecords(pdfium, textPage, scratch);
  const isSame = (index: number): boolean => {
    const [record, copy] = [recordOf(index), copyOf(index)];
    return Object.values(recordPlaces).every((place) => integers[record + place] === integers[copy + place]);
  };
  return [0, count >> 2, count >> 1, count - 1].every(isSame) ? recordOf : undefined;
}

/** Calls PDFium for one character and writes the results in the layout of a record. `scratch` has room for a record. */
export function copiedRecords({ call, integers }: Pdfium, textPage: number, scratch: number): RecordOf {
  const record = scratch / 4;
  const { left, bottom, right, top, unicode, object } = recordPlaces;
  const inkPlaces = [recordPlaces.inkLeft, recordPlaces.inkRight, recordPlaces.inkBottom, recordPlaces.inkTop];
  return (index) => {
    const view = integers();
    const addresses = [0, 1, 2, 3].map((at) => scratch + at * 8) as [number, number, number, number];
    call.FPDFText_GetCharBox(textPage, index, ...addresses);
    const outline = new DataView(view.buffer, scratch, recordBytes);
    const ink = addresses.map((address) => outline.getFloat64(address - scratch, true));
    for (const [at, place] of inkPlaces.entries()) outline.setFloat32(place * 4, ink[at]!, true);
    const box = record + left;
    call.FPDFText_GetLooseCharBox(textPage, index, box * 4);
    // PDFium returns left, top, right, bottom.
    const [x0, y1, x1, y0] = [view[box]!, view[box + 1]!, view[box + 2]!, view[box + 3]!];
    view[record + left] = x0;
    view[record + bottom] = y0;
    view[record + right] = x1;
    view[record + top] = y1;
    view[record + unicode] = call.FPDFText_GetUnicode(textPage, index);
    view[record + object] = call.FPDFText_GetTextObject(textPage, index);
    return record;
  };
}
