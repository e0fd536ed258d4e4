import type { Cell, Line } from '../../page/layout.ts';
import { linesBelow, type PageContext } from '../page-context.ts';
import { isCaption } from './caption.ts';
import { wordSimilarity } from './word-similarity.ts';

/** In columns: how far the starts of two cells of one column can be apart. */
const OFF = 2;
/** A text that shares so many words with the name of a field can be its caption. */
const SIMILAR = 0.55;

type Places = 'over' | 'beside' | 'unknown';

const known = new WeakMap<readonly string[], Places>();

/**
 * Whether the captions of a page stand over their values, as headings of columns, or beside them, as a list. Rows of several
 * captions tell the first, captions below each other with something at their right the second.
 */
function captionPlaces(context: PageContext): Places {
  const found = known.get(context.asked);
  if (found !== undefined) return found;
  let over = 0;
  let beside = 0;
  const isBare = (cell: Cell | undefined): boolean =>
    cell !== undefined && !cell.text.includes(':') && isCaption(cell, context);
  for (const line of context.lines) {
    const [first, second] = line.cells;
    if (!first || !second) continue;
    const [next] = linesBelow(context, line, 1);
    if (!next) continue;
    const captions = line.cells.filter(isBare);
    if (captions.length > 1 && captions.some((cell) => isValue(cellUnder(next, cell), context))) over += 1;
    if (captions.length !== 1 || captions[0] !== first) continue;
    if (isBare(cellUnder(next, first)) && next.cells.length > 1 && !isBare(next.cells[1])) beside += 1;
  }
  const places = over > beside ? 'over' : beside > over ? 'beside' : 'unknown';
  known.set(context.asked, places);
  return places;
}

/**
 * Whether what stands at the right of a caption could be the next caption: both have something below that is no caption, as two
 * columns have, and the page is not a list of captions with values beside them.
 */
export function couldBeHeading(line: Line, caption: Cell, beside: Cell, context: PageContext): boolean {
  if (/\d/u.test(beside.text)) return false;
  const places = captionPlaces(context);
  if (places === 'beside') return false;
  const [next] = linesBelow(context, line, 1);
  if (!next) return places === 'over';
  return isValue(cellUnder(next, caption), context) && isValue(cellUnder(next, beside), context);
}

/** Whether what stands at the right of a caption is a heading too, so that the value of the caption is below it. */
export function standsOverValue(line: Line, caption: Cell, beside: Cell, context: PageContext): boolean {
  const isNamed = (): boolean => context.asked.some((words) => wordSimilarity(beside.text, words) >= SIMILAR);
  return couldBeHeading(line, caption, beside, context) && (captionPlaces(context) === 'over' || isNamed());
}

function cellUnder(line: Line, cell: Cell): Cell | undefined {
  return line.cells.find((other) => Math.abs(other.start - cell.start) <= OFF);
}

function isValue(cell: Cell | undefined, context: PageContext): boolean {
  return cell !== undefined && !isCaption(cell, context);
}
