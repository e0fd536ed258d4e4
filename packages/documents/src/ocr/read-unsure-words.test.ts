import { expect, it } from 'vitest';
import type { Box } from '../page/box.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { readUnsureWords } from './read-unsure-words.ts';

const image = { pixels: new Uint8Array(), width: 1000, height: 400 };

function word(text: string, x0: number, y0: number, confidence: number): RecognizedWord {
  return { text, x0, y0, x1: x0 + 60, y1: y0 + 20, confidence, engine: 'tesseract' };
}

const page = [
  ...['Invoice', 'number', 'of', 'March', 'payable', 'within'].map((text, index) =>
    word(text, 100 + index * 70, 50, 0.95),
  ),
  word('Total', 100, 100, 0.96),
  word('19S', 170, 100, 0.5),
  word('.4O', 240, 100, 0.6),
  word('EUR', 310, 100, 0.97),
];
const texts = (words: readonly RecognizedWord[]): string => words.map(({ text }) => text).join(' ');

it('reads neighbouring unsure words again together, up to the middle of the gaps beside them', async () => {
  const asked: Box[] = [];
  const words = await readUnsureWords({ words: page, image }, async (_, box) => {
    asked.push(box);
    return [word('195.40', 170, 100, 0.99)];
  });
  expect(texts(words)).toBe('Invoice number of March payable within Total 195.40 EUR');
  expect(asked).toEqual([{ x0: 165, y0: 97, x1: 305, y1: 123 }]);
});

it('keeps a word if the second reading has less confidence or no word', async () => {
  expect(await readUnsureWords({ words: page, image }, async () => [word('l95', 170, 100, 0.4)])).toEqual(page);
  expect(await readUnsureWords({ words: page, image }, async () => [])).toEqual(page);
});

it('reads at most two fifths of a page again, the least sure words first', async () => {
  const poor = Array.from({ length: 20 }, (_, row) => word(`w${row}`, 100, row * 20, 0.8 - row * 0.02));
  const words = await readUnsureWords({ words: poor, image }, async (_, { x0, y0 }) => [word('again', x0, y0, 1)]);
  const again = words.flatMap(({ text }, index) => (text === 'again' ? [index] : []));
  // Each box is a third wider than its word.
  expect(again).toEqual([14, 15, 16, 17, 18, 19]);
});
