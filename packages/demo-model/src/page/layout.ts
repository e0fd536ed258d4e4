import { fold } from './fold.ts';

/** A run of text without a wide gap. `start` and `end` are columns of the layout text; `end` is exclusive. */
export interface LayoutCell {
  text: string;
  folded: string;
  start: number;
  end: number;
}

export interface Line {
  /** Page number, from 1, as in the document. */
  page: number;
  /** Position in the whole document. */
  index: number;
  text: string;
  cells: LayoutCell[];
}

/** Real lines are shorter. The rest of a longer line is ignored to save time. */
const maxLineLength = 1000;
const maxCells = 50;

/** `10, 15` alone in a cell is an amount that a scan split. Its parts are joined without moving the column where it ends. */
const splitDecimals = /(?<=^\s*|\s{2})((?:(?:RM|EUR|[€$£]) ?)?\d{1,4}[.,]) (\d{2})(?=\s{2}|\s*$)/gu;

/** A line of layout text, split into cells at gaps of two or more spaces. */
export function layoutLine(text: string, page: number, index: number): Line {
  const joined = text.slice(0, maxLineLength).replaceAll(splitDecimals, ' $1$2');
  return { page, index, text: joined, cells: cellsOf(joined) };
}

function cellsOf(lineText: string): LayoutCell[] {
  const cells: LayoutCell[] = [];
  for (const match of lineText.matchAll(/\S+(?: \S+)*/gu)) {
    if (cells.length >= maxCells) break;
    const [text] = match;
    const end = match.index + text.length;
    const before = cells.at(-1);
    // `Phone      : 555 0100` is one cell. The wide gap only aligns the colons of several lines.
    if (before && /^:(?: |$)/u.test(text) && !before.text.endsWith(':')) {
      cells[cells.length - 1] = cellOf(`${before.text} ${text}`, before.start, end);
    } else cells.push(...splitBoxes(cellOf(text, match.index, end)));
  }
  return cells;
}

/** Splits `16 State wages 17 State income tax` into two boxes of a form, because their numbers are consecutive. */
function splitBoxes(cell: LayoutCell): LayoutCell[] {
  const number = Number(/^(\d{1,2}) \p{Lu}/u.exec(cell.text)?.[1]);
  const nextAt = Number.isNaN(number)
    ? -1
    : cell.text.search(new RegExp(`(?<=\\p{L}\\S* )${number + 1} \\p{Lu}\\p{L}{2}`, 'u'));
  if (nextAt === -1) return [cell];
  const left = cell.text.slice(0, nextAt).trimEnd();
  return [
    cellOf(left, cell.start, cell.start + left.length),
    ...splitBoxes(cellOf(cell.text.slice(nextAt), cell.start + nextAt, cell.end)),
  ];
}

function cellOf(text: string, start: number, end: number): LayoutCell {
  return { text, folded: fold(text), start, end };
}

/** The number of columns that two cells share. A negative number is the gap between them. */
export function overlap(a: Pick<LayoutCell, 'start' | 'end'>, b: Pick<LayoutCell, 'start' | 'end'>): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}
