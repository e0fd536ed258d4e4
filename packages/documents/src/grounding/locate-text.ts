import type { Page } from '../page/page.ts';
import type { GroundingBox } from './grounding.ts';
import { wordsByLine } from './page-index.ts';
import { lineBoxes, type WordInLine } from './place.ts';

/** Characters between two words, which are white space. A match that is further away is another word. */
const maxGap = 500;

/**
 * Prepares a page to find ranges of its text on it.
 *
 * @param page The page with its text and words.
 * @returns A function from a range of `page.text` to boxes: one box for each line, around the words that the range
 * touches. `start` and `end` are UTF-16 offsets, `end` exclusive. A range outside the text has no boxes. Boxes are
 * fractions 0–1 of the page, origin top left.
 *
 * @example
 * ```ts
 * import { locateText, type Page } from '@docwright/documents';
 *
 * declare const page: Page;
 * const boxesOf = locateText(page);
 * const start = page.text.indexOf('Total');
 * console.log(boxesOf(start, start + 'Total'.length));
 * ```
 */
export function locateText(
  page: Pick<Page, 'page_num' | 'width' | 'height' | 'text' | 'words'>,
): (start: number, end: number) => GroundingBox[] {
  const places: (WordInLine & { start: number; end: number })[] = [];
  let line = -1;
  let from = 0;
  for (const { word, isLineStart } of wordsByLine(page.words)) {
    if (isLineStart) line += 1;
    const start = page.text.indexOf(word.text, from);
    if (start === -1 || start - from > maxGap) continue;
    from = start + word.text.length;
    places.push({ word, page, line, start, end: from });
  }
  return (start, end) => lineBoxes(places.filter((place) => place.end > start && place.start < end));
}
