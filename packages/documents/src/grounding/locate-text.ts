import type { Page } from '../page.ts';
import type { GroundingBox } from './grounding.ts';
import { wordsByLine } from './page-index.ts';
import { lineBoxes, type WordInLine } from './place.ts';

/** Between a word and the next there is white space; beyond this, the next is not the one that is looked for. */
const furthest = 500;

/**
 * Where ranges of a page's text stand on it: of the words that a range touches, a box for each line. A range counts UTF-16
 * units; `end` is the first that does not belong to it.
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
    if (start === -1 || start - from > furthest) continue;
    from = start + word.text.length;
    places.push({ word, page, line, start, end: from });
  }
  return (start, end) => lineBoxes(places.filter((place) => place.end > start && place.start < end));
}
