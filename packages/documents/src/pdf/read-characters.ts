import type { Box } from '../page/box.ts';
import { copiedRecords, findRecords, recordBytes, recordPlaces } from './file/character-records.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './file/pdfium.ts';
import type { Letters } from './letters/letters.ts';
import { isSpace, isUnmapped, isZeroWidth, repairUtf8 } from './letters/script.ts';
import { moveMarks } from './letters/move-marks.ts';
import { isOfDrawnLetters, readTextStyle, scaledStyle, type TextStyle } from './text-style.ts';
import { turnVerticalWriting } from './letters/vertical-writing.ts';

/**
 * The characters of one page in reading order. They are columns of numbers, because a page has thousands of them. Boxes are in
 * points as displayed.
 */
export interface PageCharacters extends Letters {
  styles: TextStyle[];
  /** The box around the characters of each style. */
  boxes: Box[];
  /** Number of characters that no Unicode character is known for. */
  unmapped: number;
}

export const noStyle = -1;

type Columns = [Float32Array, Float32Array, Float32Array, Float32Array];
const scratchBytes = 64;
/** PDFium's code for a hyphen at the end of a line. */
const lineEndHyphen = 0x02;
const hyphen = 0x2d;
/** Stands for the second half of a character beyond the basic plane. It has no width. */
const wordJoiner = 0x2060;
/** Stands for characters beyond Latin-1. */
const questionMark = 0x3f;
const space = 0x20;
/** Share of the line's height: a glyph that is drawn is higher. */
const minInk = 0.003;
/** In font sizes: a font with a line height outside of these bounds has wrong metrics. */
const minLineHeight = 0.85;
const maxLineHeight = 3;

/** Reads codes, boxes and styles of a loaded text page. */
export function readCharacters(pdfium: Pdfium, textPage: number, geometry: PageGeometry): PageCharacters {
  const { a, b, c, d, e, f } = geometry;
  const count = Math.max(0, pdfium.call.FPDFText_CountChars(textPage));
  const code = new Uint32Array(count);
  const latin = Buffer.allocUnsafe(count);
  const style = new Int32Array(count).fill(noStyle);
  const [x0, y0, x1, y1] = [0, 0, 0, 0].map(() => new Float32Array(count)) as Columns;
  const styles: TextStyle[] = [];
  const boxes: Box[] = [];
  const styleOfObject = new Map<number, number>();
  /** The printed signs without ink of each font. */
  const blanks = new Map<number, number[]>();
  const scratch = pdfium.call.malloc(scratchBytes + recordBytes);
  const copy = scratch + scratchBytes;
  const recordOf = findRecords(pdfium, textPage, count, copy) ?? copiedRecords(pdfium, textPage, copy);
  const { unicode, object: objectAt, left: leftAt, top: topAt, right: rightAt, bottom: bottomAt } = recordPlaces;
  const { inkBottom, inkTop } = recordPlaces;
  let floats = pdfium.floats();
  let integers = pdfium.integers();
  let lastObject = 0;
  let styleIndex = noStyle;
  let unmapped = 0;
  let box: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };
  let isUpright = true;
  let [minHeight, maxHeight] = [0, 0];
  try {
    for (let index = 0; index < count; index += 1) {
      const record = recordOf(index);
      const found = integers[record + unicode]!;
      let character = found === lineEndHyphen ? hyphen : found;
      const joined = index > 0 ? joinSurrogates(code[index - 1]!, found) : undefined;
      if (joined !== undefined) {
        code[index - 1] = joined;
        if (style[index - 1] !== noStyle && !isUnmapped(joined)) unmapped -= 1;
        character = wordJoiner;
      }
      code[index] = character;
      latin[index] = character < 0x100 ? character : questionMark;
      const object = integers[record + objectAt]!;
      if (object === 0) continue;
      const lineHeight = floats[record + topAt]! - floats[record + bottomAt]!;
      if (
        !isSpace(character) &&
        !isZeroWidth(character) &&
        floats[record + inkTop]! - floats[record + inkBottom]! < lineHeight * minInk
      ) {
        const font = pdfium.call.FPDFTextObj_GetFont(object);
        const sameFont = blanks.get(font);
        if (sameFont) sameFont.push(index);
        else blanks.set(font, [index]);
      }
      if (isUnmapped(character)) unmapped += 1;
      if (object !== lastObject) {
        lastObject = object;
        const known = styleOfObject.get(object);
        styleIndex = known ?? styles.length;
        if (known === undefined) {
          styleOfObject.set(object, styleIndex);
          const found = readTextStyle(pdfium, textPage, index, object, geometry, scratch);
          const line = floats[record + topAt]! - floats[record + bottomAt]!;
          const ink = floats[record + inkTop]! - floats[record + inkBottom]!;
          styles.push(isOfDrawnLetters(found, { line, ink }) ? scaledStyle(found, line) : found);
          boxes.push({ x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity });
          floats = pdfium.floats();
          integers = pdfium.integers();
        }
        const { sizeInPage, uprightInPage } = styles[styleIndex]!;
        box = boxes[styleIndex]!;
        isUpright = uprightInPage;
        minHeight = sizeInPage * minLineHeight;
        maxHeight = sizeInPage * maxLineHeight;
      }
      style[index] = styleIndex;
      let left = floats[record + leftAt]!;
      let top = floats[record + topAt]!;
      let right = floats[record + rightAt]!;
      let bottom = floats[record + bottomAt]!;
      const height = top - bottom;
      if (!isUpright || height < minHeight || height > maxHeight) {
        const corrected = correctedBox(
          pdfium,
          textPage,
          index,
          styles[styleIndex]!,
          { left, top, right, bottom },
          scratch,
        );
        ({ left, top, right, bottom } = corrected);
      }
      const displayedX = a * left + c * bottom + e;
      const otherX = a * right + c * top + e;
      const displayedY = b * left + d * bottom + f;
      const otherY = b * right + d * top + f;
      const minX = displayedX < otherX ? displayedX : otherX;
      const maxX = displayedX < otherX ? otherX : displayedX;
      const minY = displayedY < otherY ? displayedY : otherY;
      const maxY = displayedY < otherY ? otherY : displayedY;
      x0[index] = minX;
      x1[index] = maxX;
      y0[index] = minY;
      y1[index] = maxY;
      if (minX < box.x0) box.x0 = minX;
      if (minY < box.y0) box.y0 = minY;
      if (maxX > box.x1) box.x1 = maxX;
      if (maxY > box.y1) box.y1 = maxY;
    }
  } finally {
    pdfium.call.free(scratch);
  }
  for (const [font, found] of blanks) {
    const signs = found.filter((index) => isAsciiSign(code[index]!));
    // A font can have another sign for its space, which people do not see. Where several signs are blank, its letters or its boxes are.
    const isOtherSpace = signs.every((index) => code[index] === code[signs[0]!]);
    if (isOtherSpace) for (const index of signs) code[index] = latin[index] = space;
    if ((!isOtherSpace || signs.length < found.length) && pdfium.call.FPDFFont_GetIsEmbedded(font) === 1) {
      for (const index of found) styles[style[index]!]!.mayBeBlank = true;
    }
  }
  for (const index of repairUtf8(code)) latin[index] = code[index]! < 0x100 ? code[index]! : questionMark;
  const characters = { count, code, latin: latin.toString('latin1'), x0, y0, x1, y1, style, styles, boxes, unmapped };
  turnVerticalWriting(characters);
  moveMarks(characters);
  return characters;
}

/** A printed sign of ASCII: fonts that stand in for others have all of them. */
function isAsciiSign(character: number): boolean {
  return character > space && character < 0x7f;
}

/** The character beyond the basic plane that PDFium returns as two halves; undefined if these are not such halves. */
function joinSurrogates(first: number, second: number): number | undefined {
  if (second < 0xdc00 || second > 0xdfff || first < 0xd800 || first > 0xdbff) return undefined;
  return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

/** A box in PDF coordinates. */
interface PdfBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * The box of a character whose loose box from PDFium is wrong. Turned text gets the box of its outline, stretched to the height of
 * the font's line. A font with wrong metrics gets a usual height.
 */
function correctedBox(
  { call }: Pdfium,
  textPage: number,
  index: number,
  style: TextStyle,
  box: PdfBox,
  scratch: number,
): PdfBox {
  const { ascent, descent } = style;
  call.FPDFText_GetCharOrigin(textPage, index, scratch + 48, scratch + 56);
  call.FPDFText_GetCharBox(textPage, index, scratch + 16, scratch + 24, scratch + 32, scratch + 40);
  const doubles = new DataView(call.memory.buffer, scratch, scratchBytes);
  const originX = doubles.getFloat64(48, true);
  const originY = doubles.getFloat64(56, true);
  if (style.uprightInPage) {
    const middle = (box.top + box.bottom) / 2 - originY;
    style.isTurnedTwice ||= middle * ascent[1] < 0 && Math.abs(middle) > Math.abs(descent[1]);
    const turn = style.isTurnedTwice ? -1 : 1;
    const [one, other] = [originY + ascent[1] * turn, originY + descent[1] * turn];
    return { ...box, top: Math.max(one, other), bottom: Math.min(one, other) };
  }
  const xs = [doubles.getFloat64(16, true), doubles.getFloat64(24, true)];
  const ys = [doubles.getFloat64(32, true), doubles.getFloat64(40, true)];
  if (style.direction !== undefined) {
    xs.push(originX + ascent[0], originX + descent[0]);
    ys.push(originY + ascent[1], originY + descent[1]);
  }
  return { left: Math.min(...xs), top: Math.max(...ys), right: Math.max(...xs), bottom: Math.min(...ys) };
}
