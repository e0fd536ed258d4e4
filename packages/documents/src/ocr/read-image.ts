import { languageOf, type OcrLanguage } from './ocr-language.ts';
import { findLines } from './find-skew.ts';
import type { GrayImage, Quarters } from './gray-image.ts';
import { evenLight } from './even-light.ts';
import { straighten, type Straightening } from './straighten.ts';
import { confidenceOf, sureness } from './sureness.ts';
import type { RecognizedWord, Segmentation, Tesseract } from './tesseract.ts';

/** What was read, in the straightened picture, and how that was made. */
export interface ReadImage {
  words: RecognizedWord[];
  straightening: Straightening;
  /** The straightened picture. */
  image: GrayImage;
  language: OcrLanguage;
}

/** Below this a page is likely to stand on its head. */
const UPSIDE_DOWN = 0.5;
/** Below this it is worth another try. */
const UNSURE = 0.75;
/** From here on nothing is tried that only might be better. */
const SURE = 0.92;
/** Pixels of a word's height: smaller ones are read better when enlarged, */
const SMALL_WORD = 22;
/** to about this height, */
const GOOD_WORD = 32;
/** but not to more than this many times. */
const LARGEST_SCALE = 3;
const MOST_PIXELS = 16_000_000;
/** A page with fewer words is sparse. */
const SPARSE = 60;

/**
 * Reads a picture: straightened, enlarged where the writing is small, in the language that it turns out to be in, taken
 * apart in another way where little is found. Of every two readings the surer one is kept.
 */
export async function readImage(
  tesseract: Tesseract,
  image: GrayImage,
  likely: OcrLanguage = 'eng',
): Promise<ReadImage> {
  const read = async (how: Straightening, language: OcrLanguage, segmentation: Segmentation): Promise<ReadImage> => {
    const straight = straighten(image, how);
    const words = await tesseract.recognize(straight, segmentation, language);
    return { words, straightening: how, image: straight, language };
  };
  const { isSideways, skew } = findLines(image);
  const first: Straightening = { quarters: isSideways ? 1 : 0, skew, scale: 1 };
  let best = await read(first, likely, 'page');
  if (confidenceOf(best.words) < UPSIDE_DOWN) {
    best = surer(best, await read({ ...first, quarters: (first.quarters + 2) as Quarters }, likely, 'page'));
  }
  const scale = confidenceOf(best.words) >= SURE ? 1 : usefulScale(best);
  const language = languageOf(best.words) ?? likely;
  if (scale > 1 || language !== likely) {
    best = surer(best, await read({ ...best.straightening, scale }, language, 'page'));
  }
  if (best.words.length < SPARSE) best = surer(best, await read(best.straightening, best.language, 'block'));
  if (confidenceOf(best.words) < UNSURE) {
    const even = evenLight(best.image);
    const words = await tesseract.recognize(even, 'page', best.language);
    best = surer(best, { ...best, words });
  }
  return best;
}

function surer(before: ReadImage, after: ReadImage): ReadImage {
  return sureness(after.words) > sureness(before.words) ? after : before;
}

function usefulScale({ words, image }: ReadImage): number {
  const heights = words.map((word) => word.y1 - word.y0).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)];
  if (usual === undefined || usual >= SMALL_WORD) return 1;
  const room = Math.sqrt(MOST_PIXELS / image.pixels.length);
  return Math.max(1, Math.min(LARGEST_SCALE, GOOD_WORD / usual, room));
}
