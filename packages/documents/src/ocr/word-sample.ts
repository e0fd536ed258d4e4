import { turnQuarters, type GrayImage, type Quarters } from '../image/gray-image.ts';
import { boxBefore } from '../image/straighten.ts';
import { editDistance } from '../page/edit-distance.ts';
import type { Box } from '../page/box.ts';
import type { ReadingDirection } from '../page/reading-direction.ts';
import type { Pdfium } from '../pdf/file/pdfium.ts';
import type { PageGeometry } from '../pdf/page-geometry.ts';
import { renderPart, withDarkLetters } from '../pdf/page-pictures.ts';
import type { DoubtfulWord } from '../pdf/doubtful-words.ts';
import { foldShape } from '../pdf/shapes/letter-shown.ts';
import type { ReadPicture } from './engine/read-picture.ts';

/** Words of a text layer, drawn in lines as the page shows them, with their places in pixels. Few different words are drawn several times. */
export interface WordSample {
  image: GrayImage;
  words: (Pick<DoubtfulWord, 'likely'> & { text: string } & Box)[];
}

/** Pixels of a drawn line, from its top to its bottom: capitals have the height that engines read best. */
const lineHeight = 30;
/** Pixels for one point. */
const maxScale = 8;
/** Pixels around the lines, and between two words. */
const [margin, gap] = [15, 30];
/** Fewer words do not say which way is up, so they are drawn several times. */
const minWords = 24;
/** Pixels. Words below each other would look like a line that is turned. */
const lineWidth = 600;
/** A longer row is cut: it is no word. */
const maxRowPixels = 1_500;
const white = 255;

const upright: Readonly<Record<ReadingDirection, Quarters>> = { right: 0, up: 1, left: 2, down: 3 };

/** Draws words of a loaded page. */
export function drawSample(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  words: readonly DoubtfulWord[],
): WordSample {
  const drawn = words.map(({ word, likely }) => {
    const quarters = upright[word.direction ?? 'right'];
    const height = quarters % 2 === 0 ? word.y1 - word.y0 : word.x1 - word.x0;
    const resolution = { scale: Math.min(maxScale, lineHeight / height), maxPixels: maxRowPixels * lineHeight };
    const { image } = renderPart(pdfium, page, geometry, word, resolution);
    return { text: word.text, likely, image: turnQuarters(withDarkLetters(image), quarters) };
  });
  const placed: { word: WordSample['words'][number]; image: GrayImage }[] = [];
  let [x, y, bottom, right] = [margin, margin, margin, margin];
  const times = Math.ceil(minWords / drawn.length);
  for (const { text, likely, image } of Array.from({ length: times }, () => drawn).flat()) {
    if (x > margin && x + image.width > lineWidth) [x, y] = [margin, bottom + margin];
    placed.push({ word: { text, likely, x0: x, y0: y, x1: x + image.width, y1: y + image.height }, image });
    x += image.width + gap;
    right = Math.max(right, x);
    bottom = Math.max(bottom, y + image.height);
  }
  const [width, height] = [right + margin, bottom + margin];
  const pixels = new Uint8Array(width * height).fill(white);
  for (const { word, image } of placed) {
    for (let row = 0; row < image.height; row += 1) {
      const line = image.pixels.subarray(row * image.width, (row + 1) * image.width);
      pixels.set(line, (word.y0 + row) * width + word.x0);
    }
  }
  return { image: { pixels, width, height }, words: placed.map(({ word }) => word) };
}

/** Share of the letters of a word that may be misread, where it is not known what its letters look like. */
const maxMisread = 0.4;
const maxEdits = 20;
const minConfidence = 0.5;

/**
 * So many different words, and this share of them, are read as their letters look: in a font that has one code for a letter twice, the words of the
 * other code are right.
 */
const [minWrong, minWrongShare] = [2, 0.25];

/**
 * Whether recognition reads the drawn words otherwise than the text layer has them: as their letters look like, where that is known. A
 * word that is misread is as far from both.
 */
export async function isLayerWrong(readPicture: ReadPicture, { image, words }: WordSample): Promise<boolean> {
  const { words: recognised, straightening } = await readPicture(image, undefined);
  // The words stand upright: another direction, and a word of little confidence, say that the letters are none that recognition knows.
  if (straightening.quarters !== 0) return false;
  const sure = recognised.filter(({ confidence }) => confidence >= minConfidence);
  const read = sure.map((word) => ({ text: word.text, ...boxBefore(word, image, straightening) }));
  /** By word: how many more of its repetitions are read wrong than right. */
  const excess = new Map<string, number>();
  for (const { text, likely, ...place } of words) {
    const inPlace = read
      .filter((word) => isWithin(place, (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2))
      .sort((one, other) => one.x0 - other.x0);
    const seen = fold(inPlace.map((word) => word.text).join(''));
    if (seen === '') continue;
    const written = fold(text);
    const distance = editDistance(seen, written, maxEdits);
    const most = likely === undefined ? written.length * maxMisread : editDistance(seen, fold(likely), maxEdits);
    excess.set(text, (excess.get(text) ?? 0) + (distance > most ? 1 : -1));
  }
  const wrong = [...excess.values()].filter((more) => more > 0).length;
  const right = excess.size - wrong;
  return wrong > right || (wrong >= minWrong && wrong >= (wrong + right) * minWrongShare);
}

function isWithin({ x0, y0, x1, y1 }: Box, x: number, y: number): boolean {
  return x > x0 && x < x1 && y > y0 && y < y1;
}

function fold(text: string): string {
  return Array.from(text.normalize('NFKC'))
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .map(foldShape)
    .join('');
}
