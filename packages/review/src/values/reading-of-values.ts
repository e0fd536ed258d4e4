import type { RecognitionEngine } from '@docwright/contract';
import { misreadingOf, type ReadWord } from '../risk/misreading.ts';
import type { ValueSignals } from '../risk/value-signals.ts';
import { eachInSteps, type Steps } from '../steps/steps.ts';
import type { PlaceBox } from './invented-rows.ts';

/** A page with its words. */
export interface PageWords {
  readonly page_num: number;
  readonly width: number;
  readonly height: number;
  /** Boxes in points. `confidence`, 0 to 1, is present if the word was recognised from an image. */
  readonly words: readonly (Omit<PlaceBox, 'page_num'> & {
    readonly text: string;
    readonly confidence?: number | undefined;
    readonly engine?: RecognitionEngine | undefined;
  })[];
}

/** What is known of the reading of recognised pages. */
export interface PagesReading {
  /** How surely the words in a value's boxes were read: nothing without recognised words. */
  readonly at: (boxes: readonly PlaceBox[]) => Pick<ValueSignals, 'misreading' | 'ocrConfidence'>;
  /** The share of misread words on the pages, if it is high; undefined otherwise. */
  readonly poorly: number | undefined;
}

/** Where so many words are misread, labels are too, and a value that is missing can be on the page. */
const minMisread = 0.15;

/** How surely the words of pages were read, in steps. */
export function* readingOfPages(pages: readonly PageWords[]): Steps<PagesReading> {
  const wordsOf = new Map<number, { page: PageWords; read: Map<PageWords['words'][number], ReadWord> }>();
  let [sum, count] = [0, 0];
  yield* eachInSteps(pages, (page) => {
    const confidences = page.words.flatMap(({ confidence }) => confidence ?? []);
    if (confidences.length === 0) return;
    const pageConfidence = confidences.reduce((all, one) => all + one, 0) / confidences.length;
    const read = new Map<PageWords['words'][number], ReadWord>();
    for (const word of page.words) {
      const { text, confidence, engine } = word;
      if (confidence === undefined || engine === undefined) continue;
      const readWord = { text, confidence, engine, pageConfidence };
      read.set(word, readWord);
      sum += misreadingOf([readWord]);
    }
    count += read.size;
    wordsOf.set(page.page_num, { page, read });
  });
  const share = sum / Math.max(1, count);
  const at = (boxes: readonly PlaceBox[]): ReturnType<PagesReading['at']> => {
    const found = boxes.flatMap((box) => {
      const { page, read } = wordsOf.get(box.page_num) ?? {};
      return page && read ? wordsInside(box, page).map((word) => ({ word, read: read.get(word) })) : [];
    });
    const recognised = found.filter(({ word }) => word.confidence !== undefined);
    // Pages of earlier versions do not know their engine.
    if (recognised.some(({ read }) => read === undefined)) {
      const lowest = Math.min(...recognised.map(({ word }) => word.confidence ?? 1));
      return lowest < 1 ? { ocrConfidence: lowest } : {};
    }
    const misreading = misreadingOf(recognised.flatMap(({ read }) => read ?? []));
    return misreading > 0 ? { misreading } : {};
  };
  return { at, poorly: share < minMisread ? undefined : Math.round(share * 1000) / 1000 };
}

function wordsInside(box: PlaceBox, page: PageWords): PageWords['words'] {
  return page.words.filter(({ x0, y0, x1, y1 }) => {
    const [x, y] = [(x0 + x1) / 2 / page.width, (y0 + y1) / 2 / page.height];
    return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
  });
}
