import type { PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './pdfium.ts';
import { isUnmapped } from './script.ts';
import { readTextStyle, type TextStyle } from './text-style.ts';

/**
 * The characters of one page in reading order, as columns of numbers because a page has thousands. Boxes in points as
 * displayed.
 */
export interface PageCharacters {
  count: number;
  code: Uint32Array;
  x0: Float32Array;
  y0: Float32Array;
  x1: Float32Array;
  y1: Float32Array;
  /** Index into `styles`; NO_STYLE for spaces and line ends that PDFium generated. */
  style: Int32Array;
  styles: TextStyle[];
  /** Number of characters without a known meaning. */
  unmapped: number;
}

export const NO_STYLE = -1;
type Columns = [Float32Array, Float32Array, Float32Array, Float32Array];
const SCRATCH_BYTES = 64;
/** PDFium's code for a hyphen at the end of a line. */
const LINE_END_HYPHEN = 0x02;
const HYPHEN = 0x2d;
/** In font sizes: a line height outside of these bounds comes from a font with wrong metrics. */
const LOWEST_LINE = 0.85;
const HIGHEST_LINE = 3;

/** Reads codes, boxes and styles of a loaded text page. */
export function readCharacters(pdfium: Pdfium, textPage: number, geometry: PageGeometry): PageCharacters {
  // Local names: a property lookup for every character would cost as much as the calls.
  const {
    FPDFText_GetUnicode: getUnicode,
    FPDFText_GetTextObject: getTextObject,
    FPDFText_GetLooseCharBox: getLooseCharBox,
  } = pdfium.call;
  const { a, b, c, d, e, f } = geometry;
  const count = Math.max(0, pdfium.call.FPDFText_CountChars(textPage));
  const code = new Uint32Array(count);
  const style = new Int32Array(count).fill(NO_STYLE);
  const [x0, y0, x1, y1] = [0, 0, 0, 0].map(() => new Float32Array(count)) as Columns;
  const styles: TextStyle[] = [];
  const styleOfObject = new Map<number, number>();
  const scratch = pdfium.call.malloc(SCRATCH_BYTES);
  const at = scratch / 4;
  let floats = pdfium.floats();
  let lastObject = 0;
  let styleIndex = NO_STYLE;
  let unmapped = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const character = getUnicode(textPage, index);
      code[index] = character === LINE_END_HYPHEN ? HYPHEN : character;
      const object = getTextObject(textPage, index);
      if (object === 0) continue;
      if (isUnmapped(character)) unmapped += 1;
      if (object !== lastObject) {
        lastObject = object;
        const known = styleOfObject.get(object);
        styleIndex = known ?? styles.length;
        if (known === undefined) {
          styleOfObject.set(object, styleIndex);
          styles.push(readTextStyle(pdfium, textPage, index, object, geometry, scratch));
          floats = pdfium.floats();
        }
      }
      style[index] = styleIndex;
      getLooseCharBox(textPage, index, scratch);
      const textStyle = styles[styleIndex]!;
      const height = floats[at + 1]! - floats[at + 3]!;
      const isLine = height >= textStyle.sizeInPage * LOWEST_LINE && height <= textStyle.sizeInPage * HIGHEST_LINE;
      if (!textStyle.uprightInPage || !isLine) correctBox(pdfium, textPage, index, textStyle, scratch);
      const left = floats[at]!;
      const top = floats[at + 1]!;
      const right = floats[at + 2]!;
      const bottom = floats[at + 3]!;
      const displayedX = a * left + c * bottom + e;
      const otherX = a * right + c * top + e;
      const displayedY = b * left + d * bottom + f;
      const otherY = b * right + d * top + f;
      x0[index] = Math.min(displayedX, otherX);
      x1[index] = Math.max(displayedX, otherX);
      y0[index] = Math.min(displayedY, otherY);
      y1[index] = Math.max(displayedY, otherY);
    }
  } finally {
    pdfium.call.free(scratch);
  }
  return { count, code, x0, y0, x1, y1, style, styles, unmapped };
}

/**
 * Corrects, in the scratch memory, the loose box of a character that PDFium does not know. Turned text gets the box of
 * the outline, stretched to the font's line across the reading direction. A font with wrong metrics gets a usual
 * height.
 */
function correctBox(pdfium: Pdfium, textPage: number, index: number, style: TextStyle, scratch: number): void {
  const { call } = pdfium;
  const floats = pdfium.floats();
  const doubles = new DataView(call.memory.buffer, scratch, SCRATCH_BYTES);
  const at = scratch / 4;
  const { ascent, descent } = style;
  call.FPDFText_GetCharOrigin(textPage, index, scratch + 48, scratch + 56);
  const originX = doubles.getFloat64(48, true);
  const originY = doubles.getFloat64(56, true);
  if (style.uprightInPage) {
    floats[at + 1] = originY + ascent[1];
    floats[at + 3] = originY + descent[1];
    return;
  }
  call.FPDFText_GetCharBox(textPage, index, scratch + 16, scratch + 24, scratch + 32, scratch + 40);
  const xs = [doubles.getFloat64(16, true), doubles.getFloat64(24, true)];
  const ys = [doubles.getFloat64(32, true), doubles.getFloat64(40, true)];
  if (style.direction !== undefined) {
    xs.push(originX + ascent[0], originX + descent[0]);
    ys.push(originY + ascent[1], originY + descent[1]);
  }
  floats[at] = Math.min(...xs);
  floats[at + 1] = Math.max(...ys);
  floats[at + 2] = Math.max(...xs);
  floats[at + 3] = Math.min(...ys);
}
