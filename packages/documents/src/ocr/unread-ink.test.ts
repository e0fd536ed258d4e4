import { beforeAll, expect, it } from 'vitest';
import type { GrayImage } from '../image/gray-image.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf } from '../testing/picture.ts';
import { imagePage } from '../page/image-page.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { readPageImage } from './read-page-image.ts';
import { readUnreadLines } from './read-unsure-words.ts';
import { unreadInk } from './unread-ink.ts';

const scale = 2;
let picture: GrayImage;
beforeAll(async () => {
  const lines = [line('The fee is nine hundred euros', 20, 90), line('payable within a month', 20, 60)].join('');
  const frame = '10 10 280 110 re S 200 20 m 280 50 l S';
  picture = await pictureOf(buildPdf({ pages: [{ mediaBox: [0, 0, 300, 130], content: `${lines} ${frame}` }] }), scale);
});

const lineBox = (y: number) => ({ x0: 0, y0: (130 - y - 12) * scale, x1: 300 * scale, y1: (130 - y + 5) * scale });

it('letters in words are read; frames and strokes are no letters', () => {
  expect(unreadInk(picture, [lineBox(90), lineBox(60)])).toEqual({ box: undefined, area: 0 });
});

it('a line in no word is unread, at its place', () => {
  const { box, area } = unreadInk(picture, [lineBox(90)]);
  expect(box!.x0 / scale).toBeCloseTo(20.5, 0);
  expect(box!.y0 / scale).toBeGreaterThan(55);
  expect(area).toBeGreaterThan(1_000);
});

const paragraph = (matrix: string, lines = 5): string =>
  `q ${matrix} cm ${Array.from({ length: lines }, (_, row) => line('payable within a month', -70, 20 - row * 14, 10)).join('')} Q`;

it.each([20, 45, 70, -30])(
  'lines at %i degrees in no word are unread, and about as large as level ones',
  async (degrees) => {
    const areaOf = async (angle: number): Promise<number> => {
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      const content = paragraph(`${x} ${y} ${-y} ${x} 150 130`);
      return unreadInk(await pictureOf(buildPdf({ pages: [{ mediaBox: [0, 0, 300, 260], content }] }), scale), []).area;
    };
    const level = await areaOf(0);
    const slanted = await areaOf((degrees * Math.PI) / 180);
    expect(slanted).toBeGreaterThan(level * 0.6);
    expect(slanted).toBeLessThan(level * 1.7);
  },
);

it('words of a mirrored part, all of little confidence, do not count as read', async () => {
  const content = paragraph('-1 0 0 1 150 60');
  const mirrored = await pictureOf(buildPdf({ pages: [{ mediaBox: [0, 0, 300, 130], content }] }), scale);
  const words = (confidence: number): RecognizedWord[] =>
    Array.from({ length: 20 }, (_, index) => ({
      x0: (75 + (index % 4) * 37) * scale,
      x1: (75 + (index % 4) * 37 + 37) * scale,
      y0: (130 - 60 - 20 + Math.floor(index / 4) * 14 - 11) * scale,
      y1: (130 - 60 - 20 + Math.floor(index / 4) * 14 + 3) * scale,
      text: 'yldsysq',
      confidence,
      engine: 'tesseract',
    }));
  expect(await unreadOf(words(0.9), mirrored)).toBeUndefined();
  expect(await unreadOf(words(0.5), mirrored)).toMatchObject([{ kind: 'picture' }]);
});

it('a line in no word is read by the second engine, and a drawing is left out', async () => {
  const first: RecognizedWord = { ...lineBox(90), text: 'fee', confidence: 0.9, engine: 'tesseract' };
  const asked: number[] = [];
  const read =
    (confidence: number) => async (_: GrayImage, box: Omit<RecognizedWord, 'text' | 'confidence' | 'engine'>) => {
      asked.push(Math.round((box.y0 + box.y1) / 2 / scale));
      return [{ ...box, text: 'payable', confidence, engine: 'ppocr' as const }];
    };
  const { words, image } = { words: [first], image: picture };
  const found = await readUnreadLines({ words, image }, read(0.95));
  expect(found.map(({ text }) => text)).toEqual(['fee', ...asked.map(() => 'payable')]);
  expect(asked.length).toBeGreaterThan(0);
  for (const y of asked) expect(Math.abs(y - (130 - 64))).toBeLessThan(6);
  expect(await readUnreadLines({ words, image }, read(0.2))).toEqual([first]);
});

async function unreadOf(words: RecognizedWord[], image = picture) {
  const page = imagePage(1, image.width, image.height);
  const pictures = [{ image, scale: 1, x: 0, y: 0 }];
  const codes = { machineData: [], unread: [] };
  const straightening = { quarters: 0, skew: 0, scale: 1 } as const;
  const read = async () => ({ words, straightening, image, language: 'eng' as const });
  return (await readPageImage(read, { page, words: [], rules: [], pictures, skipped: [], codes }, 'eng')).page.unread;
}

it('a page names a picture in which nothing was recognised, and a large part without words', async () => {
  const [first, second] = [lineBox(90), lineBox(60)].map((box) => ({
    ...box,
    text: 'words',
    confidence: 0.9,
    engine: 'tesseract' as const,
  }));
  expect(await unreadOf([first!, second!])).toBeUndefined();
  expect(await unreadOf([])).toMatchObject([{ kind: 'picture', message: expect.stringContaining('was not read') }]);
  const [part] = (await unreadOf([first!]))!;
  // A word that is seen in a black square or a stain explains nothing elsewhere.
  const stain = { x0: 500, y0: 30, x1: 560, y1: 40, text: 'un', confidence: 0.9, engine: 'tesseract' as const };
  expect(await unreadOf([first!, stain])).toMatchObject([part!]);
  expect(part!.box!.y0).toBeGreaterThan(first!.y1);
});

it.each([
  { size: 7, pitch: 1.2 },
  { size: 10, pitch: 1.7 },
  { size: 14, pitch: 1.3 },
])(
  'a page names lines of $size points that take a twentieth of it, and none once they are read',
  async ({ size, pitch }) => {
    const text = 'the total amount is due within thirty days of receipt';
    const ys = Array.from({ length: Math.floor(640 / (size * pitch)) }, (_, index) => 740 - index * size * pitch);
    const content = ys.map((y) => line(text, 50, y, size)).join('');
    const image = await pictureOf(buildPdf({ pages: [{ content: `${content}40 60 530 700 re S` }] }), scale);
    const words = ys.map((y): RecognizedWord => ({
      text,
      confidence: 0.9,
      engine: 'tesseract',
      x0: 40 * scale,
      x1: (60 + text.length * size * 0.45) * scale,
      y0: (792 - y - size * 0.9) * scale,
      y1: (792 - y + size * 0.3) * scale,
    }));
    const width = text.length * size * 0.4;
    const lines = Math.ceil((0.05 * 612 * 792) / (width * size * pitch));
    expect(await unreadOf(words, image)).toBeUndefined();
    expect(await unreadOf(words.toSpliced(2, lines), image)).toMatchObject([{ kind: 'picture' }]);
  },
);
