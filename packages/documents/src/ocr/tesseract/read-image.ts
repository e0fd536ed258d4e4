import type { Box } from '../../page/box.ts';
import { findLines } from '../../image/find-skew.ts';
import { type GrayImage, type Quarters, scaleImage } from '../../image/gray-image.ts';
import { findLetters, letterHeight } from '../../image/letter-height.ts';
import { languageOf, type OcrLanguage } from '../engine/ocr-language.ts';
import type { ReadImage } from '../engine/read-picture.ts';
import { straighten, type Straightening } from '../../image/straighten.ts';
import { confidenceOf, readingScore } from '../engine/reading-score.ts';
import type { Segmentation, Tesseract } from './tesseract.ts';

/** With less confidence than this, a page is probably upside down. */
const UPSIDE_DOWN = 0.5;
/** With less confidence than this, another attempt is worth its time. */
const UNSURE = 0.75;
/**
 * Height of capitals in pixels. Smaller text is read better when enlarged; larger text is read faster and as well when
 * reduced to the target height.
 */
const [LOW, GOOD, HIGH] = [18, 20, 28];
/** Text is enlarged by at most this factor. */
const LARGEST_SCALE = 3;
const MAX_PIXELS = 16_000_000;
/** A page with fewer words is sparse: */
const SPARSE = 60;
/** it is read in another mode when more than this share of its letters is in no word, as in columns of receipts. */
const LEFT_OUT = 0.03;

/**
 * Reads a picture: straightened, scaled to the best size for its text, in the language that it turns out to be in.
 * Reading is the slow step. A page is therefore read again only when the first result suggests a better second one. Of
 * two readings, the one with more confidence is used.
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
    best = betterReading(best, turned);
  }
  const language = languageOf(best.words) ?? likely;
  if (language !== likely) best = betterReading(best, await read(best.straightening, language, 'page'));
  const wasLost = (): boolean => best.words.length < SPARSE && partLeftOut(letters, best) > LEFT_OUT;
  if (best.straightening.quarters === first.quarters) {
    const more = (after: ReadImage): ReadImage => (wholeness(letters, after) > wholeness(letters, best) ? after : best);
    if (first.scale !== 1 && wasLost()) best = more(await read(level, best.language, 'page'));
    if (wasLost()) best = more(await read(best.straightening, best.language, 'block'));
  } else if (best.words.length < SPARSE) {
    best = betterReading(best, await read(best.straightening, best.language, 'block'));
  }
  if (confidenceOf(best.words) < UNSURE && isUneven(best.image)) {
    const even = evenLight(best.image);
    const words = await tesseract.recognize(even, 'page', best.language);
    best = betterReading(best, { ...best, words });
  }
  return best;
}

function betterReading(before: ReadImage, after: ReadImage): ReadImage {
  return readingScore(after.words) > readingScore(before.words) ? after : before;
}

function usefulScale(height: number | undefined, { pixels }: GrayImage): number {
  if (height === undefined || (height >= LOW && height <= HIGH)) return 1;
  const room = Math.max(1, Math.sqrt(MAX_PIXELS / pixels.length));
  return Math.min(GOOD / height, LARGEST_SCALE, room);
}

/** Confidence of a reading, reduced by the share of the page's letters that is not in any word. */
function wholeness(letters: readonly Box[], reading: ReadImage): number {
  return readingScore(reading.words) * (1 - partLeftOut(letters, reading));
}

/** Share of the letters on a page whose middle is in no word. */
function partLeftOut(letters: readonly Box[], { words, straightening: { scale } }: ReadImage): number {
  const left = letters.filter((letter) => {
    const [x, y] = [((letter.x0 + letter.x1) / 2) * scale, ((letter.y0 + letter.y1) / 2) * scale];
    return !words.some((word) => x >= word.x0 && x <= word.x1 && y >= word.y0 && y <= word.y1);
  });
  return left.length / Math.max(1, letters.length);
}

/** Pixels of the picture for one pixel of the reduced picture that measures the brightness of the paper. */
const REDUCED = 16;
/** In pixels of the reduced picture: the brightest pixel within this distance is paper. */
const REACH = 2;
const DARKEST_PAPER = 60;

/** If the darkest tenth of the paper is lighter than this, the paper is white enough. */
const WHITE_PAPER = 240;

/** Whether a picture shows paper that is not white: in a shadow, or stained. */
function isUneven(image: GrayImage): boolean {
  const { pixels } = brightest(scaleImage(image, 1 / REDUCED));
  return pixels.toSorted()[Math.floor(pixels.length / 10)]! < WHITE_PAPER;
}

/** The picture with white paper everywhere, for photographs with shadows and for stains. */
function evenLight(image: GrayImage): GrayImage {
  const paper = brightest(scaleImage(image, 1 / REDUCED));
  const pixels = new Uint8Array(image.pixels.length);
  const columns = Uint32Array.from({ length: image.width }, (_, x) =>
    Math.min(paper.width - 1, Math.floor((x * paper.width) / image.width)),
  );
  let at = 0;
  for (let y = 0; y < image.height; y += 1) {
    const row = Math.min(paper.height - 1, Math.floor((y * paper.height) / image.height)) * paper.width;
    for (let x = 0; x < image.width; x += 1, at += 1) {
      pixels[at] = Math.min(255, (image.pixels[at]! * 255) / Math.max(DARKEST_PAPER, paper.pixels[row + columns[x]!]!));
    }
  }
  return { pixels, width: image.width, height: image.height };
}

function brightest({ pixels, width, height }: GrayImage): GrayImage {
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row += 1) {
        for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column += 1) {
          most = Math.max(most, pixels[row * width + column]!);
        }
      }
      result[y * width + x] = most;
    }
  }
  return { pixels: result, width, height };
}
