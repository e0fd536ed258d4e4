import { expect, it } from 'vitest';
import { cropImage, type GrayImage } from '../image/gray-image.ts';
import { findLetters } from '../image/letter-height.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf } from '../testing/picture.ts';
import type { ReadPicture } from './engine/read-picture.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { readTurnedParts } from './read-turned-parts.ts';
import { boxAround, inRows } from './unread-ink.ts';

const scale = 2;
const [width, height] = [340, 300];
/** Upright, these letters have most of their ink in their upper half, and capitals reach above the others. */
const text = 'TrrrFrrrPrrrTrrrFrrr';

async function pictureWith(matrix: string): Promise<GrayImage> {
  const level = [270, 256].map((y) => line(text, 60, y, 11)).join('');
  const turned = [0, -15].map((y) => line(text, 0, y, 11)).join('');
  const content = `${level}q ${matrix} cm ${turned} Q`;
  return await pictureOf(buildPdf({ pages: [{ mediaBox: [0, 0, width, height], content }] }), scale);
}

/** Reads lines that are upright, and others with little confidence. */
const read = (image: GrayImage): RecognizedWord[] =>
  inRows(findLetters(image))
    .filter(({ length }) => length > 5)
    .map((letters) => {
      const box = boxAround(letters);
      const middle = (box.y0 + box.y1) / 2;
      const ink = (half: typeof box): number =>
        cropImage(image, half).pixels.reduce((sum, pixel) => sum + 255 - pixel, 0);
      const isUpright = ink({ ...box, y1: middle }) > ink({ ...box, y0: middle });
      return { ...box, text, confidence: isUpright ? 0.9 : 0.4, engine: 'tesseract' };
    });

const readPicture: ReadPicture = async (image) => {
  return { words: read(image), straightening: { quarters: 0, skew: 0, scale: 1 }, image, language: 'eng' };
};

it.each([
  { name: 'up', matrix: '0 1 -1 0 25 60', quarters: 1, box: { x0: 17, y0: 151, x1: 40, y1: 240 } },
  { name: 'down', matrix: '0 -1 1 0 310 250', quarters: 3, box: { x0: 295, y0: 50, x1: 318, y1: 139 } },
  { name: 'upside down', matrix: '-1 0 0 -1 260 90', quarters: 2, box: { x0: 171, y0: 195, x1: 260, y1: 218 } },
])('lines that run $name are read at their place, beside level ones', async ({ matrix, quarters, box }) => {
  const image = await pictureWith(matrix);
  const words = await readTurnedParts(readPicture, { words: read(image), image, language: 'eng' }, findLetters(image));
  expect(words.map((word) => word.quarters)).toEqual([undefined, undefined, quarters, quarters]);
  const around = boxAround(words.slice(2));
  for (const side of ['x0', 'y0', 'x1', 'y1'] as const) {
    expect(Math.abs(around[side] / scale - box[side]), side).toBeLessThan(12);
  }
});

it('level lines that an engine misses beside turned ones are read once more without these', async () => {
  const image = await pictureWith('0 1 -1 0 25 60');
  const readings: number[] = [];
  const distracted: ReadPicture = async (picture, likely) => {
    const found = await readPicture(picture, likely);
    const isWhole = picture.width === image.width;
    const letters = findLetters(picture);
    if (isWhole) readings.push(letters.length);
    const hasTurned = inRows(letters).flat().length < letters.length;
    return isWhole && hasTurned ? { ...found, words: [] } : found;
  };
  expect((await distracted(image, 'eng')).words).toEqual([]);
  const words = await readTurnedParts(distracted, { words: [], image, language: 'eng' }, findLetters(image));
  expect(words.map(({ quarters }) => quarters)).toEqual([undefined, undefined, 1, 1]);
  expect(readings).toHaveLength(2);
});

it('a part that no turn makes sure keeps its first words', async () => {
  const image = await pictureWith('-1 0 0 1 260 90');
  const unsure: ReadPicture = async (picture) => {
    const found = await readPicture(picture, 'eng');
    return { ...found, words: found.words.map((word) => ({ ...word, confidence: 0.5 })) };
  };
  const words = read(image).map((word) => ({ ...word, confidence: 0.5 }));
  expect(await readTurnedParts(unsure, { words, image, language: 'eng' }, findLetters(image))).toEqual(words);
});

it('level lines of little confidence are not read once more', async () => {
  const image = await pictureWith('1 0 0 1 60 90');
  const words = read(image).map((word) => ({ ...word, confidence: 0.4 }));
  let readings = 0;
  const counted: ReadPicture = async (picture) => {
    readings += 1;
    return await readPicture(picture, 'eng');
  };
  const found = await readTurnedParts(counted, { words, image, language: 'eng' }, findLetters(image));
  expect({ found, readings }).toEqual({ found: words, readings: 0 });
});

it('a word that lies level on the picture is not taken for one that runs up', async () => {
  const image = await pictureWith('0 1 -1 0 25 60');
  const sideways: ReadPicture = async (picture, likely) => {
    const found = await readPicture(picture, likely);
    const { x0, y0 } = found.words[0] ?? { x0: 0, y0: 0 };
    return { ...found, words: [{ text, confidence: 0.9, engine: 'tesseract', x0, y0, x1: x0 + 20, y1: y0 + 90 }] };
  };
  const words = await readTurnedParts(sideways, { words: read(image), image, language: 'eng' }, findLetters(image));
  expect(words.filter(({ quarters }) => quarters !== undefined)).toEqual([]);
});
