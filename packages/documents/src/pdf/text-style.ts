import type { ReadingDirection } from '../page/reading-direction.ts';
import type { PageGeometry } from './page-geometry.ts';
import type { Pdfium } from './file/pdfium.ts';

/** The shared attributes of the characters of one text object. */
export interface TextStyle {
  /** Address of the text object. */
  object: number;
  /** Address of its font. */
  font: number;
  /** Height of the font in points as displayed. */
  size: number;
  /** As displayed; undefined for text at an angle. */
  direction: ReadingDirection | undefined;
  /** Whether its letters are upright below each other, in vertical writing. */
  isUprightDown: boolean;
  /** Whether the text runs from left to right before the page is rotated. */
  uprightInPage: boolean;
  /** Height of the font in page coordinates. */
  sizeInPage: number;
  /** Points: PDFium drops a letter that is nearer to an equal one, where this can be more than a letter; otherwise 0. */
  dropDistance: number;
  /** From a character's origin to the top of its line, in page coordinates. */
  ascent: readonly [number, number];
  /** From a character's origin to the bottom of its line, in page coordinates. */
  descent: readonly [number, number];
  /** Whether its font draws letters upside down and the text is upside down too: they are upright. Known from the first clear letter on. */
  isTurnedTwice: boolean;
  /** Whether its font may draw nothing for some of its letters, which only the pixels show. */
  mayBeBlank: boolean;
  /** Whether its letters are so narrow that they are lines. */
  isNarrow: boolean;
  paint: 'fill' | 'stroke' | 'none';
  /** Whether its letters are not painted and are the clip of what is painted after them. */
  isClip: boolean;
  /** Red, green, blue, alpha of the paint, each 0–255. */
  color: readonly [number, number, number, number];
}

/** Share of the font size above and below the baseline, where asking PDFium for the font's metrics would take too long. */
const usualAscent = 0.8;
const usualDescent = 0.2;
/** Share of a letter's height. */
const minWidth = 0.05;
/** Text whose baseline is turned by a smaller share of its length is level or upright. */
const maxTilt = 0.05;
/** Text render modes of PDF. */
const strokeModes = [1, 5];
const clipMode = 7;
const invisibleModes = [3, clipMode];

/** Reads the style of the text object that character `index` belongs to. `scratch` is 64 bytes of PDFium's memory. */
export function readTextStyle(
  pdfium: Pdfium,
  textPage: number,
  index: number,
  object: number,
  geometry: PageGeometry,
  scratch: number,
): TextStyle {
  const { call } = pdfium;
  const mode = call.FPDFTextObj_GetTextRenderMode(object);
  const paint = invisibleModes.includes(mode) ? 'none' : strokeModes.includes(mode) ? 'stroke' : 'fill';
  const [a, b, c, d] = readMatrix(pdfium, textPage, index, scratch);
  const fontSize = call.FPDFText_GetFontSize(textPage, index) || 1;
  // A negative size turns letters and their line half round.
  const turn = Math.sign(fontSize);
  const across: [number, number] = [c * fontSize, d * fontSize];
  const sizeInPage = Math.hypot(...across);
  // Along the baseline, as displayed.
  const x = turn * (geometry.a * a + geometry.c * b);
  const y = turn * (geometry.b * a + geometry.d * b);
  const unit = Math.hypot(geometry.a, geometry.b);
  return {
    object,
    font: call.FPDFTextObj_GetFont(object),
    size: sizeInPage * unit,
    direction: directionOfBaseline(x, y),
    isUprightDown: false,
    uprightInPage: a * turn > 0 && Math.abs(b) < Math.abs(a) * maxTilt && Math.abs(c) < Math.abs(d),
    sizeInPage,
    dropDistance: 0,
    isTurnedTwice: false,
    mayBeBlank: hasDrawnLetters(pdfium, object, scratch),
    ascent: [across[0] * usualAscent, across[1] * usualAscent],
    descent: [-across[0] * usualDescent, -across[1] * usualDescent],
    isNarrow: Math.hypot(a, b) < Math.hypot(c, d) * minWidth,
    paint,
    isClip: mode === clipMode,
    color: readColor(pdfium, object, paint === 'stroke', scratch),
  };
}

function readMatrix(
  pdfium: Pdfium,
  textPage: number,
  index: number,
  scratch: number,
): [number, number, number, number] {
  if (pdfium.call.FPDFText_GetMatrix(textPage, index, scratch) === 0) return [1, 0, 0, 1];
  const at = scratch / 4;
  const floats = pdfium.floats();
  return [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!];
}

function readColor(pdfium: Pdfium, object: number, isStroke: boolean, scratch: number): TextStyle['color'] {
  const read = isStroke ? pdfium.call.FPDFPageObj_GetStrokeColor : pdfium.call.FPDFPageObj_GetFillColor;
  // Patterns and shadings have no single colour: they count as black, which is never suspicious.
  if (read(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return [0, 0, 0, 255];
  const at = scratch / 4;
  const integers = pdfium.integers();
  return [integers[at]!, integers[at + 1]!, integers[at + 2]!, integers[at + 3]!];
}

function directionOfBaseline(x: number, y: number): ReadingDirection | undefined {
  const length = Math.hypot(x, y);
  if (length === 0) return 'right';
  if (Math.abs(y) < length * maxTilt) return x > 0 ? 'right' : 'left';
  if (Math.abs(x) < length * maxTilt) return y > 0 ? 'down' : 'up';
  return undefined;
}

/** The size of a font says how high its lines are within this factor, save in fonts of drawn letters. */
const maxSizeFactor = 3;
/** A line is higher than its letters, and not by more than this factor, unless the file's box around the letters is wrong. */
const lineFactor = { min: 0.9, max: 8 };
/** Page units: the line of a space can have no height. */
const minLine = 1;
/** In font sizes: PDFium drops a letter that is nearer to an equal one. */
const droppedShare = 0.07;

/**
 * Whether the letters of a text are drawings of the file, whose size is any multiple of the font's size, and not the size itself.
 *
 * @param heights Those of a letter's line and of the letter itself, in page coordinates.
 */
export function isOfDrawnLetters(
  { sizeInPage, uprightInPage, mayBeBlank }: TextStyle,
  { line, ink }: { line: number; ink: number },
): boolean {
  if (!uprightInPage || line < minLine) return false;
  if (sizeInPage < line * maxSizeFactor && line < sizeInPage * maxSizeFactor) return false;
  // The size is right where the letter has about its height.
  const isLineRight = line >= ink * lineFactor.min && line <= ink * lineFactor.max;
  return mayBeBlank && isLineRight && (line <= sizeInPage || ink >= sizeInPage * lineFactor.min);
}

/** Whether the letters of a text object are drawings of the file: such a font has no program. */
function hasDrawnLetters({ call, integers }: Pdfium, object: number, scratch: number): boolean {
  const font = call.FPDFTextObj_GetFont(object);
  if (call.FPDFFont_GetIsEmbedded(font) !== 1) return false;
  return call.FPDFFont_GetFontData(font, 0, 0, scratch) === 1 && integers()[scratch / 4] === 0;
}

/** The style with the size that its letters have. */
export function scaledStyle(style: TextStyle, line: number): TextStyle {
  const factor = line / style.sizeInPage;
  const scaled = ([x, y]: readonly [number, number]): [number, number] => [x * factor, y * factor];
  return {
    ...style,
    size: style.size * factor,
    sizeInPage: line,
    dropDistance: style.size * droppedShare,
    ascent: scaled(style.ascent),
    descent: scaled(style.descent),
  };
}
