import type { PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './pdfium.ts';
import { isUnmapped } from './script.ts';
import { readTextStyle, type TextStyle } from './text-style.ts';

/** The characters of one page in reading order, as columns: a page has thousands. Boxes in points as displayed. */
export interface PageCharacters {
  count: number;
  code: Uint32Array;
  x0: Float32Array;
  y0: Float32Array;
  x1: Float32Array;
  y1: Float32Array;
  /** Index into `styles`; NO_STYLE for spaces and line ends that PDFium made up. */
  style: Int32Array;
  styles: TextStyle[];
  /** Characters that stand for nothing known. */
  unmapped: number;
}

export const NO_STYLE = -1;
/** What PDFium gives for a hyphen at the end of a line. */
const LINE_END_HYPHEN = 0x02;
const HYPHEN = 0x2d;
/** In font sizes: a line out of these bounds comes from a font that does not know its own height. */
const LOWEST_LINE = 0.85;
const HIGHEST_LINE = 3;

/** Reads codes, boxes and styles of a loaded text page. */
export function readCharacters(pdfium: Pdfium, textPage: number, geometry: PageGeometry): PageCharacters {
  const { call } = pdfium;
  const count = Math.max(0, call.FPDFText_CountChars(textPage));
  const characters: PageCharacters = {
    count,
    code: new Uint32Array(count),
    x0: new Float32Array(count),
    y0: new Float32Array(count),
    x1: new Float32Array(count),
    y1: new Float32Array(count),
    style: new Int32Array(count).fill(NO_STYLE),
    styles: [],
    unmapped: 0,
  };
  const scratch = call.malloc(64);
  const styleOfObject = new Map<number, number>();
  let lastObject = 0;
  let styleIndex = NO_STYLE;
  try {
    for (let index = 0; index < count; index += 1) {
      const code = call.FPDFText_GetUnicode(textPage, index);
      characters.code[index] = code === LINE_END_HYPHEN ? HYPHEN : code;
      const object = call.FPDFText_GetTextObject(textPage, index);
      if (object === 0) continue;
      if (isUnmapped(code)) characters.unmapped += 1;
      if (object !== lastObject) {
        lastObject = object;
        const known = styleOfObject.get(object);
        styleIndex = known ?? characters.styles.length;
        if (known === undefined) {
          styleOfObject.set(object, styleIndex);
          characters.styles.push(readTextStyle(pdfium, textPage, index, object, geometry, scratch));
        }
      }
      characters.style[index] = styleIndex;
      readBox(pdfium, textPage, index, characters, geometry, scratch);
    }
  } finally {
    call.free(scratch);
  }
  return characters;
}

/**
 * The box of one character: its advance wide, its font's line high. PDFium knows that box for upright text only;
 * turned text gets the outline's box, stretched to the font's line across the reading direction.
 */
function readBox(
  pdfium: Pdfium,
  textPage: number,
  index: number,
  characters: PageCharacters,
  geometry: PageGeometry,
  scratch: number,
): void {
  const { call } = pdfium;
  const style = characters.styles[characters.style[index]!]!;
  call.FPDFText_GetLooseCharBox(textPage, index, scratch);
  const floats = pdfium.floats();
  const at = scratch / 4;
  let left = floats[at]!;
  let top = floats[at + 1]!;
  let right = floats[at + 2]!;
  let bottom = floats[at + 3]!;
  const height = top - bottom;
  const isLine = height >= style.sizeInPage * LOWEST_LINE && height <= style.sizeInPage * HIGHEST_LINE;
  if (!style.uprightInPage || !isLine) {
    const doubles = new DataView(call.memory.buffer, scratch, 48);
    call.FPDFText_GetCharOrigin(textPage, index, scratch + 32, scratch + 40);
    const originX = doubles.getFloat64(32, true);
    const originY = doubles.getFloat64(40, true);
    if (style.uprightInPage) {
      top = originY + style.ascent[1];
      bottom = originY + style.descent[1];
    } else {
      call.FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24);
      left = doubles.getFloat64(0, true);
      right = doubles.getFloat64(8, true);
      bottom = doubles.getFloat64(16, true);
      top = doubles.getFloat64(24, true);
      if (style.direction !== undefined) {
        left = Math.min(left, originX + style.ascent[0], originX + style.descent[0]);
        right = Math.max(right, originX + style.ascent[0], originX + style.descent[0]);
        bottom = Math.min(bottom, originY + style.ascent[1], originY + style.descent[1]);
        top = Math.max(top, originY + style.ascent[1], originY + style.descent[1]);
      }
    }
  }
  const { a, b, c, d, e, f } = geometry;
  const displayedX = a * left + c * bottom + e;
  const otherX = a * right + c * top + e;
  const displayedY = b * left + d * bottom + f;
  const otherY = b * right + d * top + f;
  characters.x0[index] = Math.min(displayedX, otherX);
  characters.x1[index] = Math.max(displayedX, otherX);
  characters.y0[index] = Math.min(displayedY, otherY);
  characters.y1[index] = Math.max(displayedY, otherY);
}
