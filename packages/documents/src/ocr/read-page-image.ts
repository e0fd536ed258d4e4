import { layOutPage } from '../layout/lay-out-page.ts';
import type { Box } from '../page/box.ts';
import type { Page, Word } from '../page/page.ts';
import type { GrayImage } from '../image/gray-image.ts';
import { rulesOfPicture } from '../image/image-rules.ts';
import type { OcrLanguage } from './engine/ocr-language.ts';
import type { PageImage } from './page-image.ts';
import type { ReadPicture } from './engine/read-picture.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { boxBefore } from '../image/straighten.ts';

export interface RecognizedPage {
  page: Page;
  /** The detected language: the likely language of the next page. */
  language: OcrLanguage;
}

/** Smallest visible difference of brightness, 0–255, as for text layers. */
const SEEN_DIFFERENCE = 40;
/** Share of a word's box that is darker, and share that is lighter, than the two compared shades. */
const LEAST_INK = 0.02;
/** Below this confidence a word is noise; */
const LEAST_CONFIDENCE = 0.1;
/** a word without a letter or digit is a rule, a stain or the edge of the paper below this confidence. */
const LEAST_CONFIDENCE_OF_MARKS = 0.6;
const WRITTEN = 0.6;
/** Share of a recognised word that a word of the text layer must cover for the two to be the same. */
const SAME_PLACE = 0.4;

/** Recognises a page. The words of its text layer are unchanged and not repeated. */
export async function readPageImage(
  readPicture: ReadPicture,
  { page, image, scale }: PageImage,
  likely: OcrLanguage | undefined,
): Promise<RecognizedPage> {
  const { words: found, straightening, image: straight, language } = await readPicture(image, likely);
  const meaningful = found.filter(isMeaningful);
  const seen = meaningful.filter((word) => standsOut(word, straight));
  // A faint word with high confidence is text; other faint words are stains.
  const faint = meaningful.filter((word) => !seen.includes(word) && word.confidence >= WRITTEN);
  const asDisplayed = (word: Box): Box => {
    const { x0, y0, x1, y1 } = boxBefore(word, image, straightening);
    return {
      x0: hundredths(x0 / scale),
      y0: hundredths(y0 / scale),
      x1: hundredths(x1 / scale),
      y1: hundredths(y1 / scale),
    };
  };
  const placed = seen
    .map((word) => ({ word, displayed: asDisplayed(word) }))
    .filter(({ displayed }) => !page.words.some((other) => covers(other, displayed)));
  // The straight words are laid out; each carries its box on the page as displayed.
  const upright = placed.map(({ word, displayed }) => ({ ...word, direction: 'right' as const, displayed }));
  const laidOut = layOutPage(upright, upright.length === 0 ? [] : rulesOfPicture(straight, usualHeight(upright)));
  const displayedOf = new Map<Word, Box>(upright.map((word) => [word, word.displayed]));
  const words = laidOut.words.map((word): Word => ({
    text: word.text,
    ...displayedOf.get(word)!,
    confidence: hundredths(word.confidence ?? 0),
  }));
  const read: Page = {
    ...page,
    text: laidOut.text,
    words,
    tables: laidOut.tables.map((table) => ({ ...table, ...asDisplayed(table) })),
    hidden_text: page.hidden_text + faint.reduce((sum, word) => sum + word.text.length, 0),
    needs_ocr: false,
  };
  return { page: page.words.length === 0 ? read : withTextLayer(read, page, straightening.quarters === 0), language };
}

/**
 * Merges recognised words with those of the text layer if both have the same reading direction; otherwise appends them.
 */
function withTextLayer(read: Page, { text, words }: Page, isUpright: boolean): Page {
  if (!isUpright) return { ...read, text: `${text}\n\n${read.text}`.trim(), words: [...words, ...read.words] };
  const all = [...words, ...read.words].map((word) => ({ ...word, direction: 'right' as const }));
  const laidOut = layOutPage(all);
  const bare = laidOut.words.map(({ text: written, x0, y0, x1, y1, confidence }): Word => {
    return { text: written, x0, y0, x1, y1, ...(confidence === undefined ? {} : { confidence }) };
  });
  return { ...read, text: laidOut.text, words: bare, tables: laidOut.tables };
}

/** The rule between two columns of a table is not a word, even with high confidence. */
const rule = /^[|¦[\]]+$/u;

function isMeaningful({ text, confidence }: RecognizedWord): boolean {
  if (rule.test(text)) return false;
  return confidence >= (/[\p{L}\p{N}]/u.test(text) ? LEAST_CONFIDENCE : LEAST_CONFIDENCE_OF_MARKS);
}

/** Whether a word contrasts with its surroundings enough to be visible: faint text is hidden text, in a scan too. */
function standsOut({ x0, y0, x1, y1 }: Box, { pixels, width, height }: GrayImage): boolean {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let y = Math.max(0, y0); y < Math.min(height, y1); y += 1) {
    for (let x = Math.max(0, x0); x < Math.min(width, x1); x += 1) {
      counts[pixels[y * width + x]!]! += 1;
      total += 1;
    }
  }
  const shadeAt = (share: number): number => {
    let seen = 0;
    return counts.findIndex((count) => (seen += count) >= total * share);
  };
  return shadeAt(1 - LEAST_INK) - shadeAt(LEAST_INK) >= SEEN_DIFFERENCE;
}

function usualHeight(words: readonly Box[]): number {
  const heights = words.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  return heights[heights.length >> 1]!;
}

function covers(word: Box, other: Box): boolean {
  const width = Math.min(word.x1, other.x1) - Math.max(word.x0, other.x0);
  const height = Math.min(word.y1, other.y1) - Math.max(word.y0, other.y0);
  return width > 0 && height > 0 && width * height > (other.x1 - other.x0) * (other.y1 - other.y0) * SAME_PLACE;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
