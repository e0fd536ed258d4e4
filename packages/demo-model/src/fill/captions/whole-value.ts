import type { LayoutCell, Line } from '../../page/layout.ts';
import { cellsRightOf, type PageContext } from '../reading/page-context.ts';
import { isCaption } from './caption.ts';

/** A text with what belongs to it, and whether more could. */
export interface WholeValue {
  text: string;
  isUnsure?: boolean;
}

/** In columns: what is further apart is not one value. */
const maxTornGap = 12;
/** Lines above and below in which the cells of a column begin at the same place. */
const linesOfColumn = 4;
/** The most lines of a value below its first one. */
const maxLinesBelow = 2;
/** In columns: a line that ends nearer to the longest line of its page was full. */
const maxShortOfEnd = 10;
/** In columns: the end of a shorter line says nothing. */
const minFullLine = 50;

/**
 * The value to the right of a label with its other words, which can be far apart on a scan: the next cell is no caption, has no
 * colon and begins no column.
 */
export function wholeValue(line: Line, label: LayoutCell, context: PageContext): WholeValue {
  const [first, ...others] = cellsRightOf(line, label);
  if (!first) return { text: '' };
  let { end, text } = first;
  for (const other of others) {
    const isOwn = !other.text.includes(':') && /\p{L}/u.test(other.text) && !isCaption(other, context);
    if (!isOwn || other.start - end > maxTornGap) break;
    if (beginsColumn(line, other, context)) return { text, isUnsure: true };
    text += ` ${other.text}`;
    end = other.end;
  }
  return goesOn(text, { line, start: first.start, end }, context);
}

function beginsColumn(line: Line, cell: LayoutCell, { lines }: PageContext): boolean {
  return lines
    .slice(Math.max(0, line.index - linesOfColumn), line.index + linesOfColumn + 1)
    .some((near) => near !== line && near.cells.some(({ start }, at) => at > 0 && Math.abs(start - cell.start) <= 2));
}

/** The words that a text does not end with. */
const joining =
  /(?:[,&/-]|(?<!\p{L})(?:and|or|of|the|for|to|in|v|vs|und|oder|der|die|das|von|für|et|ou|de|du|la|le|e|o|di|del|y|en|van))$/iu;

/**
 * A text at a place with the lines below it that it goes on in: each is alone on its line and begins at the same column, and the line
 * before was full, or ends or begins like the middle of a sentence. Where such a line follows without that, more could belong to it.
 */
export function goesOn(
  text: string,
  { line, start, end }: { line: Line; start: number; end: number },
  context: PageContext,
): WholeValue {
  const pageEnd = context.pageEnds.get(line.page) ?? 0;
  let [whole, lastEnd] = [text, end];
  for (let below = 1; below <= maxLinesBelow; below += 1) {
    const next = context.lines[line.index + below];
    const [only, ...others] = next?.cells ?? [];
    const isAlone = next?.page === line.page && only !== undefined && others.length === 0;
    const isOpen = joining.test(whole);
    const isBelow = isAlone && (isOpen || Math.abs(only.start - start) <= 2);
    if (!isBelow || only.text.includes(':') || isCaption(only, context))
      return { text: whole, ...(isOpen && { isUnsure: true }) };
    const isFull = lastEnd >= minFullLine && lastEnd > pageEnd - maxShortOfEnd;
    if (!isFull && !isOpen && !/^\p{Ll}/u.test(only.text)) return { text: whole, isUnsure: true };
    whole += ` ${only.text}`;
    lastEnd = only.end;
  }
  return { text: whole };
}
