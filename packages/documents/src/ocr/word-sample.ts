import { turnQuarters, type GrayImage, type Quarters } from '../image/gray-image.ts';
import { boxBefore } from '../image/straighten.ts';
import { editDistance } from '../page/edit-distance.ts';
import type { ReadingDirection } from '../page/reading-direction.ts';
import type { Pdfium } from '../pdf/file/pdfium.ts';
import type { PageGeometry } from '../pdf/page-geometry.ts';
import { renderPart, withDarkLetters } from '../pdf/page-pictures.ts';
import type { DoubtfulWord } from '../pdf/doubtful-words.ts';
import { foldShape } from '../pdf/shapes/letter-shown.ts';
import type { ReadPicture } from './engine/read-picture.ts';

/** Words of a text layer, drawn below each other as the page shows them. */
export interface WordSample {
  image: GrayImage;
  rows: (Pick<DoubtfulWord, 'likely'> & { text: string; y0: number; y1: number })[];
}

/** Pixels of a drawn line, from its top to its bottom: capitals have the height that engines read best. */
const lineHeight = 30;
/** Pixels for one point. */
const maxScale = 8;
/** Pixels around a word. */
const margin = 15;
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
  const width = 2 * margin + Math.max(...drawn.map(({ image }) => image.width));
  const height = margin + drawn.reduce((sum, { image }) => sum + image.height + margin, 0);
  const pixels = new Uint8Array(width * height).fill(white);
  let y0 = margin;
  const rows = drawn.map(({ text, likely, image }) => {
    for (let row = 0; row < image.height; row += 1) {
      const line = image.pixels.subarray(row * image.width, (row + 1) * image.width);
      pixels.set(line, (y0 + row) * width + margin);
    }
    const placed = { text, likely, y0, y1: y0 + image.height };
    y0 = placed.y1 + margin;
    return placed;
  });
  return { image: { pixels, width, height }, rows };
}

/** Share of the letters of a word that may be misread, where it is not known what its letters look like. */
const maxMisread = 0.4;
const maxEdits = 20;

/**
 * So many words, and this share of them, are read as their letters look: in a font that has one code for a letter twice, the words of the
 * other code are right.
 */
const [minWrong, minWrongShare] = [2, 0.25];

/**
 * Whether recognition reads the drawn words otherwise than the text layer has them: as their letters look like, where that is known. A
 * word that is misread is as far from both.
 */
export async function isLayerWrong(readPicture: ReadPicture, { image, rows }: WordSample): Promise<boolean> {
  const { words, straightening } = await readPicture(image, undefined);
  const read = words.map((word) => ({ text: word.text, ...boxBefore(word, image, straightening) }));
  let [right, wrong] = [0, 0];
  for (const { text, likely, y0, y1 } of rows) {
    const inRow = read
      .filter((word) => (word.y0 + word.y1) / 2 > y0 && (word.y0 + word.y1) / 2 < y1)
      .sort((one, other) => one.x0 - other.x0);
    const seen = fold(inRow.map((word) => word.text).join(''));
    if (seen === '') continue;
    const written = fold(text);
    const distance = editDistance(seen, written, maxEdits);
    const most = likely === undefined ? written.length * maxMisread : editDistance(seen, fold(likely), maxEdits);
    if (distance > most) wrong += 1;
    else right += 1;
  }
  return wrong > right || (wrong >= minWrong && wrong >= (wrong + right) * minWrongShare);
}

function fold(text: string): string {
  return Array.from(text.normalize('NFKC'))
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .map(foldShape)
    .join('');
}
