import { expect, it } from 'vitest';
import { recognizePage } from '../ocr/recognize-page.ts';
import type { Page } from '../page/page.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf, png } from '../testing/picture.ts';
import { readOnlyPage } from '../testing/read-pdf.ts';
import { locateText } from './locate-text.ts';

const content = ['The tenant pays the rent', 'on the first of the month', 'and not on the last.'].map((text, at) =>
  line(text, 30, 160 - at * 20, 12),
);
const columns = ['Total  95.00', 'Tax  19.00'].flatMap((row, at) =>
  row.split('  ').map((cell, column) => line(cell, 30 + column * 150, 80 - at * 20, 12)),
);
const page = { mediaBox: [0, 0, 300, 200], content: [...content, ...columns].join('') };

/** Each word's box, from the range of its letters in the text. */
function expectEveryWord(read: Page): void {
  const boxesOf = locateText(read);
  let from = 0;
  expect(read.words.length).toBeGreaterThan(10);
  for (const { text, x0, y0, x1, y1 } of read.words) {
    const start = read.text.indexOf(text, from);
    from = start + text.length;
    const [box, ...others] = boxesOf(start, from);
    expect(others).toEqual([]);
    const { width, height } = read;
    const sides = [x0 / width, y0 / height, x1 / width, y1 / height];
    for (const [at, side] of [box?.x0, box?.y0, box?.x1, box?.y1].entries()) expect(side).toBeCloseTo(sides[at]!, 4);
  }
}

it.each([0, 90, 180, 270])('finds each word on a page turned by %i', async (rotate) => {
  expectEveryWord(await readOnlyPage({ pages: [{ ...page, rotate }] }));
});

it('finds each recognised word of a scan', async () => {
  const picture = await pictureOf(buildPdf({ pages: [page] }), 200 / 72);
  expectEveryWord((await recognizePage({ bytes: png(picture), mimeType: 'image/png', pageNumber: 1 })).page);
});

it('returns a box for each line that a range touches, and none for the space between words', async () => {
  const read = await readOnlyPage({ pages: [page] });
  const at = (text: string) => read.text.indexOf(text);
  const boxesOf = locateText(read);
  const boxes = boxesOf(at('rent'), at('month') + 5);
  expect(boxes).toHaveLength(2);
  expect(boxes[0]!.x0).toBeGreaterThan(boxes[1]!.x0);
  expect(boxes[0]!.y1).toBeLessThan(boxes[1]!.y1);
  expect(boxesOf(at('rent') + 4, at('on the first'))).toEqual([]);
  expect(boxesOf(0, read.text.length)).toHaveLength(5);
});
