import { beforeAll, expect, it } from 'vitest';
import type { GrayImage } from '../image/gray-image.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf } from '../testing/picture.ts';
import { imagePage } from '../page/image-page.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { readPageImage } from './read-page-image.ts';
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

async function unreadOf(words: RecognizedWord[]) {
  const page = imagePage(1, picture.width, picture.height);
  const pictures = [{ image: picture, scale: 1, x: 0, y: 0 }];
  const straightening = { quarters: 0, skew: 0, scale: 1 } as const;
  const read = async () => ({ words, straightening, image: picture, language: 'eng' as const });
  return (await readPageImage(read, { page, words: [], rules: [], pictures, skipped: [] }, 'eng')).page.unread;
}

it('a page names a picture in which nothing was recognised, and a large part without words', async () => {
  const [first, second] = [lineBox(90), lineBox(60)].map((box) => ({ ...box, text: 'words', confidence: 0.9 }));
  expect(await unreadOf([first!, second!])).toBeUndefined();
  expect(await unreadOf([])).toMatchObject([{ kind: 'picture', message: expect.stringContaining('was not read') }]);
  const [part] = (await unreadOf([first!]))!;
  expect(part!.box!.y0).toBeGreaterThan(first!.y1);
});
