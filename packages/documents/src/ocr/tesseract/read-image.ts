import { findLineOrientation } from '../../image/find-skew.ts';
import { type GrayImage, type Quarters, scaleImage } from '../../image/gray-image.ts';
import { findLetters, letterHeight } from '../../image/letter-height.ts';
import { straighten, type Straightening } from '../../image/straighten.ts';
import type { Box } from '../../page/box.ts';
import { languageOf, type OcrLanguage } from '../engine/ocr-language.ts';
import type { ReadImage } from '../engine/read-picture.ts';
import { confidenceOf, readingScore } from '../engine/reading-score.ts';
import type { Segmentation, Tesseract } from './tesseract.ts';

/** A page of less confidence is probably upside down. */
const minUprightConfidence = 0.5;
/** With less confidence, another attempt is worth its time. */
const minSureConfidence = 0.75;
/**
 * Height of capitals in pixels. Smaller text is read better if it is enlarged to the target height. Larger text is read
 * faster and equally well if it is reduced.
 */
const [minGoodHeight, targetHeight, maxGoodHeight] = [18, 20, 28];
/** Factor by which text is enlarged at most. */
const maxScale = 3;
const maxPixels = 16_000_000;
/** A page with fewer words is sparse. */
const minDenseWords = 60;
/** A sparse page is read in another mode if more of its letters are in no word, as in columns of receipts. */
const maxLeftOutShare = 0.03;

/**
 * Reads a picture after straightening it and scaling it to the best size for its text, in the language that is detected.
 * Reading is the slow step. A page is therefore read again only if the first result suggests a better second one. Of two
 * readings, the one with the better score is used.
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
  const { isSideways, skew } = findLineOrientation(image);
  const level: Straightening = { quarters: isSideways ? 1 : 0, skew, scale: 1 };
  const straight = straighten(image, level);
  const letters = findLetters(straight);
  const first: Straightening = { ...level, scale: usefulScale(letterHeight(letters), straight) };
  let best = await read(first, likely, 'page');
  if (confidenceOf(best.words) < minUprightConfidence) {
    const turned = await read({ ...first, quarters: (first.quarters + 2) as Quarters }, likely, 'page');
    best = betterReading(best, turned);
  }
  const language = languageOf(best.words) ?? likely;
  if (language !== likely) best = betterReading(best, await read(best.straightening, language, 'page'));
  const missesText = (): boolean => best.words.length < minDenseWords && leftOutShare(letters, best) > maxLeftOutShare;
  if (best.straightening.quarters === first.quarters) {
    const moreComplete = (after: ReadImage): ReadImage =>
      completeness(letters, after) > completeness(letters, best) ? after : best;
    if (first.scale !== 1 && missesText()) best = moreComplete(await read(level, best.language, 'page'));
    if (missesText()) best = moreComplete(await read(best.straightening, best.language, 'block'));
  } else if (best.words.length < minDenseWords) {
    best = betterReading(best, await read(best.straightening, best.language, 'block'));
  }
  if (confidenceOf(best.words) < minSureConfidence && isUneven(best.image)) {
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
  if (height === undefined || (height >= minGoodHeight && height <= maxGoodHeight)) return 1;
  const room = Math.max(1, Math.sqrt(maxPixels / pixels.length));
  return Math.min(targetHeight / height, maxScale, room);
}

/** The score of a reading, reduced by the share of the page's letters that are in no word. */
function completeness(letters: readonly Box[], reading: ReadImage): number {
  return readingScore(reading.words) * (1 - leftOutShare(letters, reading));
}

/** Share of the letters of a page whose middle is in no word. */
function leftOutShare(letters: readonly Box[], { words, straightening: { scale } }: ReadImage): number {
  const left = letters.filter((letter) => {
    const [x, y] = [((letter.x0 + letter.x1) / 2) * scale, ((letter.y0 + letter.y1) / 2) * scale];
    return !words.some((word) => x >= word.x0 && x <= word.x1 && y >= word.y0 && y <= word.y1);
  });
  return left.length / Math.max(1, letters.length);
}

/** The brightness of the paper is measured on a picture that is reduced by this factor. */
const reduction = 16;
/** The brightest pixel within this distance is paper. In pixels of the reduced picture. */
const paperReach = 2;
/** Paper is taken to be at least as bright. */
const minPaperBrightness = 60;
/** The paper is white if all but its darkest tenth is at least as bright. */
const minWhiteBrightness = 240;

/** Whether the paper is not white everywhere: it is in a shadow, or stained. */
function isUneven(image: GrayImage): boolean {
  const { pixels } = brightest(scaleImage(image, 1 / reduction));
  return pixels.toSorted()[Math.floor(pixels.length / 10)]! < minWhiteBrightness;
}

/** The picture with white paper everywhere, without shadows and stains. */
function evenLight(image: GrayImage): GrayImage {
  const paper = brightest(scaleImage(image, 1 / reduction));
  const pixels = new Uint8Array(image.pixels.length);
  const columns = Uint32Array.from({ length: image.width }, (_, x) =>
    Math.min(paper.width - 1, Math.floor((x * paper.width) / image.width)),
  );
  let at = 0;
  for (let y = 0; y < image.height; y += 1) {
    const row = Math.min(paper.height - 1, Math.floor((y * paper.height) / image.height)) * paper.width;
    for (let x = 0; x < image.width; x += 1, at += 1) {
      pixels[at] = Math.min(
        255,
        (image.pixels[at]! * 255) / Math.max(minPaperBrightness, paper.pixels[row + columns[x]!]!),
      );
    }
  }
  return { pixels, width: image.width, height: image.height };
}

/** Each pixel becomes as bright as the brightest pixel within reach. */
function brightest({ pixels, width, height }: GrayImage): GrayImage {
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let max = 0;
      for (let row = Math.max(0, y - paperReach); row <= Math.min(height - 1, y + paperReach); row += 1) {
        for (let column = Math.max(0, x - paperReach); column <= Math.min(width - 1, x + paperReach); column += 1) {
          max = Math.max(max, pixels[row * width + column]!);
        }
      }
      result[y * width + x] = max;
    }
  }
  return { pixels: result, width, height };
}
