import { hundredths } from '../page/box.ts';
import type { Page, Word } from '../page/page.ts';

/** A page as it is sent between threads: one string and one transferable array, not thousands of objects to clone. */
export interface PackedPage extends Omit<Page, 'words'> {
  wordTexts: string;
  /** x0, y0, x1, y1 of each word. */
  boxes: Float32Array<ArrayBuffer>;
  /** Stored numbers of words, by the position of the word. */
  raws: Map<number, string>;
}

/** Words contain no white space, so line ends separate them. */
const separator = '\n';

export function packPage({ words, ...page }: Page): PackedPage {
  const boxes = new Float32Array(words.length * 4);
  const raws = new Map<number, string>();
  let at = 0;
  for (const { x0, y0, x1, y1, raw } of words) {
    if (raw !== undefined) raws.set(at / 4, raw);
    boxes[at] = x0;
    boxes[at + 1] = y0;
    boxes[at + 2] = x1;
    boxes[at + 3] = y1;
    at += 4;
  }
  return { ...page, wordTexts: words.map((word) => word.text).join(separator), boxes, raws };
}

export function unpackPage({ wordTexts, boxes, raws, ...page }: PackedPage): Page {
  const texts = boxes.length === 0 ? [] : wordTexts.split(separator);
  const words = texts.map((text, index): Word => ({
    text,
    x0: hundredths(boxes[index * 4]!),
    y0: hundredths(boxes[index * 4 + 1]!),
    x1: hundredths(boxes[index * 4 + 2]!),
    y1: hundredths(boxes[index * 4 + 3]!),
    ...(raws.has(index) ? { raw: raws.get(index)! } : {}),
  }));
  return { ...page, words };
}
