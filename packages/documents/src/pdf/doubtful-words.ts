import type { PageWord } from '../layout/page-word.ts';
import type { Box } from '../page/box.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';
import { noStyle, type PageCharacters } from './read-characters.ts';
import type { PageGeometry } from './page-geometry.ts';
import { renderPart } from './page-pictures.ts';
import { outlineOf, shapeInPicture } from './shapes/glyph-shape.ts';
import { foldShape, ForeignLetters, otherLetter, unlikeLetter, type OtherLetter } from './shapes/letter-shown.ts';

/** A word of a text layer that may not be what the page shows. */
export interface DoubtfulWord {
  word: PageWord;
  /** What its letters look like; undefined if that is not known. */
  likely: string | undefined;
}

/** So many words of a page say whether it shows what its text layer says. */
const maxWords = 24;
/** Longer words are recognised for sure. */
const goodLength = 4;
const maxLength = 30;
/** One letter of another shape is a font of its own kind; digits have one shape in all fonts, and letters one width in a font. */
const minLetters = 2;
/** In font sizes: a letter of a font has one width. */
const maxWidthDifference = 0.08;
const standardFont = /^(?:Helvetica|Times-|Courier)/u;
/** Share of a width. */
const maxRatioDifference = 0.1;
/** Share of the letters of a font. */
const maxOtherShare = 0.3;
const maxCode = 0x7f;
const isTested = Array.from({ length: maxCode }, (_, code) => /[\dA-Za-z]/u.test(String.fromCharCode(code)));
const digit = /\d/u;
/** A ligature counts as these letters, each with a part of its width. */
const inLigatures = new Set(Array.from('bcfhijklstTh').map((letter) => letter.charCodeAt(0)));
/** More such characters of a page are a sample of them. */
const maxCharacters = 2_000;

/** The letters of one font on a page. */
interface FontLetters {
  font: number;
  /** Whether PDFium has other outlines for it than the page shows. */
  hasNoOutlines: boolean;
  /** 1 for each letter that is used, 2 for one that is drawn with different widths in one line. */
  used: Uint8Array;
  foreign: ForeignLetters;
  /** The width of each letter in font sizes, as it is written; 0 if it is not known. */
  widths: Float32Array;
  /** What letters look like that are no such letters; undefined for one that is drawn with different widths. */
  doubtful: Map<number, OtherLetter | undefined>;
  /** Letters that have no outline, so that only the page shows them, with their places there. */
  drawn: Map<number, Box[]>;
}

/** So many places of a letter say what it is drawn like. */
const maxPlaces = 3;
/** Pixels for one point. */
const resolution = { scale: 4, maxPixels: 4_000_000 };
/** Points: the letters of smaller text are not clear at that resolution. */
const minSize = 5;

/**
 * A sample of the words whose letters are not drawn as such letters are, because the table of their font is wrong. A font whose letters
 * have their usual shapes has none.
 */
export function doubtfulWords(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  characters: PageCharacters,
  hidden: Uint8Array,
  words: readonly PageWord[],
): DoubtfulWord[] {
  const fontOfStyle = fontsOf(pdfium, characters, hidden);
  const fonts = [...new Set(fontOfStyle)].filter((font) => font !== undefined);
  withMemory(pdfium, 8, (scratch) => {
    for (const font of fonts) findDoubtful(pdfium, font, scratch);
  });
  if (fonts.some(({ drawn }) => drawn.size > 0)) findDrawn(pdfium, page, geometry, characters, hidden, fontOfStyle);
  for (const font of fonts) clearFew(font);
  if (!fonts.some(({ doubtful }) => doubtful.size > 0)) return [];
  const { count, code, style, x0, y0, x1, y1 } = characters;
  const places: { x: number; y: number; font: FontLetters }[] = [];
  for (let index = 0; index < count && places.length < maxCharacters; index += 1) {
    const font = hidden[index] === 0 ? fontOfStyle[style[index]!] : undefined;
    if (font?.doubtful.has(code[index]!)) {
      places.push({ x: (x0[index]! + x1[index]!) / 2, y: (y0[index]! + y1[index]!) / 2, font });
    }
  }
  const found = new Map<string, DoubtfulWord>();
  for (const word of words) {
    if (word.direction === undefined || word.text.length > maxLength || found.has(word.text)) continue;
    const place = places.find(({ x, y }) => x >= word.x0 && x <= word.x1 && y >= word.y0 && y <= word.y1);
    if (place) found.set(word.text, { word, likely: likelyText(word.text, place.font) });
  }
  const isGood = ({ word }: DoubtfulWord): boolean => word.text.length >= goodLength;
  const all = [...found.values()];
  return spread([...all.filter(isGood), ...all.filter((one) => !isGood(one))], maxWords);
}

/** The first half of a sample, and others from all of the rest. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  const step = items.length / most;
  return Array.from({ length: most }, (_, at) => items[Math.floor(at * step)]!);
}

function fontsOf(
  pdfium: Pdfium,
  { count, code, style, styles, x0, y0, x1, y1 }: PageCharacters,
  hidden: Uint8Array,
): (FontLetters | undefined)[] {
  const byAddress = new Map<number, FontLetters | undefined>();
  const fontOfStyle = styles.map(({ object, paint, mayBeBlank }) => {
    if (paint === 'none') return undefined;
    const font = pdfium.call.FPDFTextObj_GetFont(object);
    if (!byAddress.has(font)) byAddress.set(font, isDrawnRight(pdfium, font) ? lettersOf(font, mayBeBlank) : undefined);
    return byAddress.get(font);
  });
  /** The width of each letter in the text object whose style stands beside it. */
  const width = new Float32Array(maxCode);
  const widthOf = new Int32Array(maxCode).fill(noStyle);
  for (let index = 0; index < count; index += 1) {
    const character = code[index]!;
    const own = style[index]!;
    const font = hidden[index] === 0 ? fontOfStyle[own] : undefined;
    if (isTested[character] !== true) font?.foreign.add(character);
    if (isTested[character] !== true || !font) continue;
    const { size, uprightInPage, direction } = styles[own]!;
    font.used[character] ||= 1;
    if (!uprightInPage) continue;
    const isLevel = direction === 'right' || direction === 'left';
    const found = isLevel ? x1[index]! - x0[index]! : y1[index]! - y0[index]!;
    font.widths[character] ||= found / size;
    if (widthOf[character] !== own) {
      widthOf[character] = own;
      width[character] = found;
    } else if (!inLigatures.has(character) && Math.abs(found - width[character]!) > size * maxWidthDifference) {
      font.used[character] = 2;
    }
  }
  return fontOfStyle;
}

function lettersOf(font: number, hasNoOutlines: boolean): FontLetters {
  const [used, widths] = [new Uint8Array(maxCode), new Float32Array(maxCode)];
  const foreign = new ForeignLetters();
  return { font, hasNoOutlines, used, foreign, widths, doubtful: new Map(), drawn: new Map() };
}

/**
 * Whether PDFium draws the glyphs of a font that the file means. For one that is not in the file it takes another, whose glyphs can have
 * other numbers, save for those that each program has.
 */
function isDrawnRight(pdfium: Pdfium, font: number): boolean {
  if (pdfium.call.FPDFFont_GetIsEmbedded(font) === 1) return true;
  const size = 64;
  return withMemory(pdfium, size, (address) => {
    const length = pdfium.call.FPDFFont_GetBaseFontName(font, address, size);
    const name = Buffer.from(pdfium.bytes().subarray(address, address + Math.min(size, length)));
    return standardFont.test(name.toString('latin1'));
  });
}

function findDoubtful(
  pdfium: Pdfium,
  { font, hasNoOutlines, used, foreign, widths, doubtful, drawn }: FontLetters,
  scratch: number,
): void {
  const isOther = hasNoOutlines || hasOtherGlyphs(pdfium, font, widths, scratch);
  if (!isOther) {
    for (const [code, letter] of foreign.drawnAsLatin(pdfium, font, scratch))
      doubtful.set(code, { letter, isSure: true });
  }
  for (let code = 0; code < maxCode; code += 1) {
    if (used[code] === 0) continue;
    const contours = isOther ? undefined : outlineOf(pdfium, font, code, scratch);
    if (!contours) drawn.set(code, []);
    const other = contours && otherLetter(pdfium, code, contours);
    if (other !== undefined) doubtful.set(code, other);
    else if (used[code] === 2) doubtful.set(code, undefined);
  }
}

/**
 * Whether letters are written with other widths than the font's letters of their names have: then PDFium finds other glyphs by their names
 * than the page shows. Text can be wider or narrower as a whole, and a few letters that hang over their width count as wider.
 */
function hasOtherGlyphs({ call, floats }: Pdfium, font: number, widths: Float32Array, scratch: number): boolean {
  const ratios = Array.from(widths, (width, code) => {
    const isKnown = width > 0 && call.FPDFFont_GetGlyphWidth(font, code, 1, scratch) !== 0;
    const own = isKnown ? floats()[scratch / 4]! : 0;
    return own > 0 ? width / own : 0;
  })
    .filter((ratio) => ratio > 0)
    .sort((one, other) => one - other);
  const usual = ratios[ratios.length >> 1] ?? 1;
  const others = ratios.filter((ratio) => Math.abs(ratio / usual - 1) > maxRatioDifference).length;
  return others > ratios.length * maxOtherShare;
}

/** Compares the letters without an outline as the page shows them. */
function findDrawn(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  { count, code, style, styles, x0, y0, x1, y1 }: PageCharacters,
  hidden: Uint8Array,
  fontOfStyle: readonly (FontLetters | undefined)[],
): void {
  const part: Box = { x0: geometry.width, y0: geometry.height, x1: 0, y1: 0 };
  for (let index = 0; index < count; index += 1) {
    const places = hidden[index] === 0 ? fontOfStyle[style[index]!]?.drawn.get(code[index]!) : undefined;
    if (!places || places.length === maxPlaces) continue;
    const { direction, size } = styles[style[index]!]!;
    const box = { x0: x0[index]!, y0: y0[index]!, x1: x1[index]!, y1: y1[index]! };
    if (direction !== 'right' || size < minSize) continue;
    places.push(box);
    part.x0 = Math.max(0, Math.min(part.x0, box.x0));
    part.y0 = Math.max(0, Math.min(part.y0, box.y0));
    part.x1 = Math.min(geometry.width, Math.max(part.x1, box.x1));
    part.y1 = Math.min(geometry.height, Math.max(part.y1, box.y1));
  }
  if (part.x1 <= part.x0 || part.y1 <= part.y0) return;
  const { image, scale } = renderPart(pdfium, page, geometry, part, resolution);
  const onPicture = (box: Box): Box => ({
    x0: (box.x0 - part.x0) * scale,
    y0: (box.y0 - part.y0) * scale,
    x1: (box.x1 - part.x0) * scale,
    y1: (box.y1 - part.y0) * scale,
  });
  for (const font of new Set(fontOfStyle)) {
    for (const [letter, places] of font?.drawn ?? []) {
      const others = places.map((box) => {
        const shape = shapeInPicture(image, onPicture(box));
        return shape && unlikeLetter(pdfium, letter, shape);
      });
      const [first] = others;
      const isAgreed = others.every((other) => other !== undefined && other.letter === first?.letter);
      if (first && isAgreed) font!.doubtful.set(letter, first);
    }
  }
}

/** A font with too little that is doubtful has nothing. */
function clearFew({ doubtful }: FontLetters): void {
  const isEnough = [...doubtful].some(
    ([code, other]) => other?.isSure !== false || digit.test(String.fromCharCode(code)),
  );
  if (doubtful.size < minLetters && !isEnough) doubtful.clear();
}

function likelyText(text: string, { doubtful }: FontLetters): string | undefined {
  let isKnown = true;
  const likely = Array.from(text).map((letter) => {
    const code = letter.codePointAt(0)!;
    if (!doubtful.has(code)) return foldShape(letter);
    const other = doubtful.get(code);
    isKnown &&= other !== undefined;
    return other?.letter ?? letter;
  });
  return isKnown ? likely.join('') : undefined;
}
