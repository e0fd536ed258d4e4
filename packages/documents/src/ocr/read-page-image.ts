import type { GrayImage } from '../image/gray-image.ts';
import { rulesOfImage } from '../image/image-rules.ts';
import { boxBefore } from '../image/straighten.ts';
import { layOutPage } from '../layout/lay-out-page.ts';
import { medianHeight } from '../layout/rows/median.ts';
import { hundredths, type Box } from '../page/box.ts';
import type { Page, Word } from '../page/page.ts';
import type { OcrLanguage } from './engine/ocr-language.ts';
import type { ReadPicture } from './engine/read-picture.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import type { PageImage } from './page-image.ts';

/** A page with its recognised text. */
export interface RecognizedPage {
  page: Page;
  /** The detected language, which is likely that of the next page too. */
  language: OcrLanguage;
}

/** Difference of brightness, 0–255, as for text layers. */
const minVisibleDifference = 40;
/** Share of the darkest and of the lightest pixels of a word's box that are left out when its contrast is measured. */
const minInkShare = 0.02;
/** A word of less confidence is noise. */
const minWordConfidence = 0.1;
/** A word without a letter or digit and of less confidence is a rule, a stain or the edge of the paper. */
const minSignConfidence = 0.6;
/** A faint word of less confidence is a stain; otherwise it is hidden text. */
const minFaintTextConfidence = 0.6;
/** Share of a recognised word that a word of the text layer covers if the two are the same. */
const minSharedArea = 0.4;

/** Recognises a page. The words of its text layer are unchanged and not repeated. */
export async function readPageImage(
  readPicture: ReadPicture,
  { page, image, scale }: PageImage,
  likely: OcrLanguage | undefined,
): Promise<RecognizedPage> {
  const { words: found, straightening, image: straight, language } = await readPicture(image, likely);
  const meaningful = found.filter(isMeaningful);
  const visible = meaningful.filter((word) => isVisible(word, straight));
  const faint = meaningful.filter((word) => !visible.includes(word) && word.confidence >= minFaintTextConfidence);
  const asDisplayed = (word: Box): Box => {
    const { x0, y0, x1, y1 } = boxBefore(word, image, straightening);
    return {
      x0: hundredths(x0 / scale),
      y0: hundredths(y0 / scale),
      x1: hundredths(x1 / scale),
      y1: hundredths(y1 / scale),
    };
  };
  const placed = visible
    .map((word) => ({ word, displayed: asDisplayed(word) }))
    .filter(({ displayed }) => !page.words.some((other) => covers(other, displayed)));
  // The words of the straight picture are laid out; each also has its box on the page as displayed.
  const upright = placed.map(({ word, displayed }) => ({ ...word, direction: 'right' as const, displayed }));
  const laidOut = layOutPage(upright, upright.length === 0 ? [] : rulesOfImage(straight, medianHeight(upright)!));
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
    read_by: page.words.length === 0 ? 'ocr' : words.length === 0 ? 'text' : 'mixed',
  };
  return { page: page.words.length === 0 ? read : withTextLayer(read, page, straightening.quarters === 0), language };
}

/** Merges recognised words with those of the text layer if both run in the same direction; otherwise appends them. */
function withTextLayer(read: Page, { text, words }: Page, isUpright: boolean): Page {
  if (!isUpright) return { ...read, text: `${text}\n\n${read.text}`.trim(), words: [...words, ...read.words] };
  const all = [...words, ...read.words].map((word) => ({ ...word, direction: 'right' as const }));
  const laidOut = layOutPage(all);
  const plainWords = laidOut.words.map(({ text: own, x0, y0, x1, y1, confidence }): Word => {
    return { text: own, x0, y0, x1, y1, ...(confidence === undefined ? {} : { confidence }) };
  });
  return { ...read, text: laidOut.text, words: plainWords, tables: laidOut.tables };
}

/** The rule between two columns of a table is not a word, even with high confidence. */
const rule = /^[|¦[\]]+$/u;

function isMeaningful({ text, confidence }: RecognizedWord): boolean {
  if (rule.test(text)) return false;
  return confidence >= (/[\p{L}\p{N}]/u.test(text) ? minWordConfidence : minSignConfidence);
}

/** Whether a word contrasts enough with its background: faint text counts as hidden, in a scan too. */
function isVisible({ x0, y0, x1, y1 }: Box, { pixels, width, height }: GrayImage): boolean {
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
  return shadeAt(1 - minInkShare) - shadeAt(minInkShare) >= minVisibleDifference;
}

function covers(word: Box, other: Box): boolean {
  const width = Math.min(word.x1, other.x1) - Math.max(word.x0, other.x0);
  const height = Math.min(word.y1, other.y1) - Math.max(word.y0, other.y0);
  return width > 0 && height > 0 && width * height > (other.x1 - other.x0) * (other.y1 - other.y0) * minSharedArea;
}
