import type { LayoutCell, Line } from '../../page/layout.ts';
import { wordSimilarity } from '../labels/word-similarity.ts';
import { linesBelow, type PageContext } from '../reading/page-context.ts';
import { isCaption } from './caption.ts';

/** The largest distance between the starts of two cells of one column, in columns of the layout text. */
const maxOffset = 2;
/** A text that is this similar to the name of a field can be its caption. */
const minSimilarity = 0.55;

type CaptionPlace = 'above' | 'beside' | 'unknown';

const placeByFields = new WeakMap<readonly string[], CaptionPlace>();

/**
 * Whether the captions of a page are above their values, as headings of columns, or beside them, as a list. Lines with
 * several captions indicate headings. Captions below each other with a text to their right indicate a list.
 */
function captionPlaceOn(context: PageContext): CaptionPlace {
  const known = placeByFields.get(context.fieldNames);
  if (known !== undefined) return known;
  let above = 0;
  let beside = 0;
  const isBareCaption = (cell: LayoutCell | undefined): boolean =>
    cell !== undefined && !cell.text.includes(':') && isCaption(cell, context);
  for (const line of context.lines) {
    const [first, second] = line.cells;
    if (!first || !second) continue;
    const [next] = linesBelow(context, line, 1);
    if (!next) continue;
    const captions = line.cells.filter(isBareCaption);
    if (captions.length > 1 && captions.some((cell) => isValue(cellUnder(next, cell), context))) above += 1;
    if (captions.length !== 1 || captions[0] !== first) continue;
    if (isBareCaption(cellUnder(next, first)) && next.cells.length > 1 && !isBareCaption(next.cells[1])) beside += 1;
  }
  const place = above > beside ? 'above' : beside > above ? 'beside' : 'unknown';
  placeByFields.set(context.fieldNames, place);
  return place;
}

/**
 * Whether the cell to the right of a caption could be the next caption: both have a text below that is not a caption, as
 * two columns have, and the page is not a list of captions with values beside them.
 */
export function couldBeHeading(line: Line, caption: LayoutCell, beside: LayoutCell, context: PageContext): boolean {
  if (/\d/u.test(beside.text)) return false;
  const place = captionPlaceOn(context);
  if (place === 'beside') return false;
  const [next] = linesBelow(context, line, 1);
  if (!next) return place === 'above';
  return isValue(cellUnder(next, caption), context) && isValue(cellUnder(next, beside), context);
}

/** Whether the cell to the right of a caption is a heading too, so that the caption's value is below it. */
export function isHeading(line: Line, caption: LayoutCell, beside: LayoutCell, context: PageContext): boolean {
  if (!couldBeHeading(line, caption, beside, context)) return false;
  return (
    captionPlaceOn(context) === 'above' ||
    context.fieldNames.some((name) => wordSimilarity(beside.text, name) >= minSimilarity)
  );
}

function cellUnder(line: Line, cell: LayoutCell): LayoutCell | undefined {
  return line.cells.find((other) => Math.abs(other.start - cell.start) <= maxOffset);
}

function isValue(cell: LayoutCell | undefined, context: PageContext): boolean {
  return cell !== undefined && !isCaption(cell, context);
}

const minCaptionLines = 3;
const belowByFields = new WeakMap<readonly string[], boolean>();

/**
 * Whether captions are printed under the lines that people write on: the first line of captions has values right above
 * it, and the last one has nothing below.
 */
export function areCaptionsBelowValues(context: PageContext): boolean {
  const known = belowByFields.get(context.fieldNames);
  if (known !== undefined) return known;
  const lines = context.lines.filter(({ cells }) =>
    cells.some((cell) => !cell.text.includes(':') && isCaption(cell, context)),
  );
  const [first, last] = [lines[0], lines.at(-1)];
  const areBelow =
    lines.length >= minCaptionLines &&
    first !== undefined &&
    last !== undefined &&
    first.cells.every((cell) => isCaption(cell, context)) &&
    first.cells.some((cell) => valueCellAt(-1, first, cell, context) !== undefined) &&
    !last.cells.some((cell) => valueCellAt(1, last, cell, context) !== undefined) &&
    !first.cells.every((cell) => valueCellAt(1, first, cell, context) !== undefined);
  belowByFields.set(context.fieldNames, areBelow);
  return areBelow;
}

/** The cell right above (-1) or below (1) a caption that starts at the same column and is not a caption. */
export function valueCellAt(
  distance: -1 | 1,
  line: Line,
  cell: LayoutCell,
  context: PageContext,
): LayoutCell | undefined {
  const next = context.lines[line.index + distance];
  if (!next || next.page !== line.page) return undefined;
  return next.cells.find((other) => Math.abs(other.start - cell.start) <= 3 && !isCaption(other, context));
}
