import type { Box } from '../layout/reading-direction.ts';
import { evenLight, isUneven } from './even-light.ts';
import { findLines } from './find-skew.ts';
import type { GrayImage, Quarters } from './gray-image.ts';
import { findLetters, letterHeight } from './letter-height.ts';
import { languageOf, type OcrLanguage } from './ocr-language.ts';
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
/**
 * Pixels of a capital's height. Lower ones are read better when enlarged, higher ones sooner and no worse when reduced,
 * to the good one.
 */
const [LOW, GOOD, HIGH] = [18, 20, 28];
/** Writing is enlarged to not more than this many times. */
const LARGEST_SCALE = 3;
const MOST_PIXELS = 16_000_000;
/** A page with fewer words is sparse: */
const SPARSE = 60;
/** it is read in another way where more than this part of its letters is in no word, as columns of receipts may be. */
const LEFT_OUT = 0.03;

/**
 * Reads a picture: straightened, enlarged or reduced to the size that writing is read best in, in the language that it
 * turns out to be in. Reading is what takes time, so that a page is read again only where something tells that it will
 * be read better; of two readings the surer one is kept.
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
  const level: Straightening = { quarters: isSideways ? 1 : 0, skew, scale: 1 };
  const straight = straighten(image, level);
  const letters = findLetters(straight);
  const first: Straightening = { ...level, scale: usefulScale(letterHeight(letters), straight) };
  let best = await read(first, likely, 'page');
  if (confidenceOf(best.words) < UPSIDE_DOWN) {
    const turned = await read({ ...first, quarters: (first.quarters + 2) as Quarters }, likely, 'page');
    best = surer(best, turned);
  }
  const language = languageOf(best.words) ?? likely;
  if (language !== likely) best = surer(best, await read(best.straightening, language, 'page'));
  const wasLost = (): boolean => best.words.length < SPARSE && partLeftOut(letters, best) > LEFT_OUT;
  if (best.straightening.quarters === first.quarters) {
    const more = (after: ReadImage): ReadImage => (wholeness(letters, after) > wholeness(letters, best) ? after : best);
    if (first.scale !== 1 && wasLost()) best = more(await read(level, best.language, 'page'));
    if (wasLost()) best = more(await read(best.straightening, best.language, 'block'));
  } else if (best.words.length < SPARSE) {
    best = surer(best, await read(best.straightening, best.language, 'block'));
  }
  if (confidenceOf(best.words) < UNSURE && isUneven(best.image)) {
    const even = evenLight(best.image);
    const words = await tesseract.recognize(even, 'page', best.language);
    best = surer(best, { ...best, words });
  }
  return best;
}

function surer(before: ReadImage, after: ReadImage): ReadImage {
  return sureness(after.words) > sureness(before.words) ? after : before;
}

function usefulScale(height: number | undefined, { pixels }: GrayImage): number {
  if (height === undefined || (height >= LOW && height <= HIGH)) return 1;
  const room = Math.max(1, Math.sqrt(MOST_PIXELS / pixels.length));
  return Math.min(GOOD / height, LARGEST_SCALE, room);
}

/** Sureness of a reading that counts less the more of the page's letters are not in it. */
function wholeness(letters: readonly Box[], reading: ReadImage): number {
  return sureness(reading.words) * (1 - partLeftOut(letters, reading));
}

/** Part of the letters on a page whose middle is in no word that was read. */
function partLeftOut(letters: readonly Box[], { words, straightening: { scale } }: ReadImage): number {
  const left = letters.filter((letter) => {
    const [x, y] = [((letter.x0 + letter.x1) / 2) * scale, ((letter.y0 + letter.y1) / 2) * scale];
    return !words.some((word) => x >= word.x0 && x <= word.x1 && y >= word.y0 && y <= word.y1);
  });
  return left.length / Math.max(1, letters.length);
}
