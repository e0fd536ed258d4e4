import type { PageWord } from '../layout/page-word.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';
import { noStyle, type PageCharacters } from './read-characters.ts';
import { foldShape, otherLetter, type OtherLetter } from './shapes/letter-shown.ts';

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
  /** 1 for each letter that is used, 2 for one that is drawn with different widths in one line. */
  used: Uint8Array;
  /** What letters look like that are no such letters; undefined for one that is drawn with different widths. */
  doubtful: Map<number, OtherLetter | undefined>;
}

/**
 * A sample of the words whose letters are not drawn as such letters are, because the table of their font is wrong. A font whose letters
 * have their usual shapes has none.
 */
export function doubtfulWords(
  pdfium: Pdfium,
  characters: PageCharacters,
  hidden: Uint8Array,
  words: readonly PageWord[],
): DoubtfulWord[] {
  const fontOfStyle = fontsOf(pdfium, characters, hidden);
  const fonts = [...new Set(fontOfStyle)].filter((font) => font !== undefined);
  withMemory(pdfium, 8, (scratch) => {
    for (const font of fonts) findDoubtful(pdfium, font, scratch);
  });
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
  { count, code, style, styles, x0, x1 }: PageCharacters,
  hidden: Uint8Array,
): (FontLetters | undefined)[] {
  const byAddress = new Map<number, FontLetters>();
  const fontOfStyle: (FontLetters | undefined)[] = styles.map(({ object, paint }) => {
    if (paint === 'none') return undefined;
    const font = pdfium.call.FPDFTextObj_GetFont(object);
    let known = byAddress.get(font);
    if (!known) byAddress.set(font, (known = { font, used: new Uint8Array(maxCode), doubtful: new Map() }));
    return known;
  });
  /** The width of each letter in the text object whose style stands beside it. */
  const width = new Float32Array(maxCode);
  const widthOf = new Int32Array(maxCode).fill(noStyle);
  for (let index = 0; index < count; index += 1) {
    const character = code[index]!;
    if (isTested[character] !== true || hidden[index] !== 0) continue;
    const own = style[index]!;
    const font = fontOfStyle[own];
    if (!font) continue;
    const { size, uprightInPage } = styles[own]!;
    font.used[character] ||= 1;
    if (!uprightInPage) continue;
    const found = x1[index]! - x0[index]!;
    if (widthOf[character] !== own) {
      widthOf[character] = own;
      width[character] = found;
    } else if (!inLigatures.has(character) && Math.abs(found - width[character]!) > size * maxWidthDifference) {
      font.used[character] = 2;
    }
  }
  return fontOfStyle;
}

function findDoubtful(pdfium: Pdfium, { font, used, doubtful }: FontLetters, scratch: number): void {
  for (let code = 0; code < maxCode; code += 1) {
    if (used[code] === 0) continue;
    const other = otherLetter(pdfium, font, code, scratch);
    if (other !== undefined) doubtful.set(code, other);
    else if (used[code] === 2) doubtful.set(code, undefined);
  }
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
