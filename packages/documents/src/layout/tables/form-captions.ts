import type { Row } from '../rows/rows.ts';
import type { Word } from '../../page/page.ts';
import { runsOf } from './runs.ts';
import { textOf, type FilledCell, type FoundTable } from './table.ts';

/** A caption is smaller than the value in its box, or ends in a colon. Maximum share of the value's height. */
const SMALLER = 0.9;
/** Boxes with a caption in them that make a grid a form, and their share of all boxes. */
const FEWEST_CAPTIONED = 2;
const CAPTIONED = 0.25;
const MAX_CAPTION_LINES = 3;
const LONGEST_CAPTION = 120;
/** `12a See instructions`, `f. Name`: boxes of forms are numbered. */
const numbered = /^(?:\d{1,2}[a-z]?|[a-z])[.)]? \p{L}{2}/u;

/**
 * A grid in whose boxes a small caption stands above or below what is written, as a form with its captions; any other table
 * as it is.
 */
export function asForm<CellWord extends Word>(table: FoundTable<CellWord>): FoundTable<CellWord> {
  const { cells } = table;
  const captioned = cells.filter(({ lines }) => captionLinesOf(lines) !== 0);
  const isNumbered = cells.filter(({ lines }) => numbered.test(textOf(lines))).length * 2 >= cells.length;
  if (captioned.length < FEWEST_CAPTIONED) return table;
  if (!isNumbered && captioned.length < cells.length * CAPTIONED) return table;
  const heights = captioned.flatMap(({ lines }) => captionOf(lines).map(heightOf)).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)]!;
  return {
    ...table,
    kind: 'form',
    cells: cells.flatMap((cell) =>
      partBox(cell).map((box) => ({ ...box, captionLines: captionLinesOf(box.lines) || emptyBox(box, usual) })),
    ),
  };
}

/** A box with several captions beside each other, or with one above and one below, is a box for each of them. */
function partBox<CellWord extends Word>(cell: FilledCell<CellWord>): FilledCell<CellWord>[] {
  const { lines } = cell;
  const count = captionLinesOf(lines);
  if (count <= 0) return [cell];
  const value = lines.slice(count);
  const below = captionLinesOf(value);
  if (below < 0 && value.length + below > 1) {
    const written = value.slice(0, below);
    const gaps = written.slice(1).map((line, index) => line.y0 - written[index]!.y1);
    const widest = count + 1 + gaps.indexOf(Math.max(...gaps));
    return [...partBox({ ...cell, lines: lines.slice(0, widest) }), { ...cell, lines: lines.slice(widest) }];
  }
  const captions = count === 1 ? runsOf(lines[0]!) : [];
  if (captions.length < 2) return [cell];
  return captions.map(({ x0 }, index) => ({
    ...cell,
    lines: lines.flatMap(({ words, y0, y1 }) => {
      const height = y1 - y0;
      const own = words.filter((word) => {
        const middle = (word.x0 + word.x1) / 2;
        return (
          (index === 0 || middle >= x0 - height) &&
          middle < (captions[index + 1]?.x0 ?? Infinity) - (captions[index + 1] ? height : 0)
        );
      });
      return own.length === 0 ? [] : [{ words: own, y0, y1 }];
    }),
  }));
}

function captionOf<CellWord extends Word>(lines: readonly Row<CellWord>[]): Row<CellWord>[] {
  const count = captionLinesOf(lines);
  return count < 0 ? lines.slice(count) : lines.slice(0, count);
}

/** The number of caption lines: from the top, from the bottom if negative, 0 if no line is smaller than the others. */
function captionLinesOf(lines: readonly Row[]): number {
  if (lines.length < 2) return 0;
  if (endsInColon(lines[0]!) && isCaption(lines.slice(0, 1))) return 1;
  const heights = lines.map(heightOf);
  const tallest = Math.max(...heights);
  const isSmall = heights.map((height) => height < tallest * SMALLER);
  const fromTop = isSmall.indexOf(false);
  const fromBottom = isSmall.toReversed().indexOf(false);
  if (fromTop > 0 && fromTop <= MAX_CAPTION_LINES && isCaption(lines.slice(0, fromTop))) return fromTop;
  if (fromBottom > 0 && fromBottom <= MAX_CAPTION_LINES && isCaption(lines.slice(-fromBottom))) return -fromBottom;
  return 0;
}

/** `Place of birth:` above a value of the same size. */
function endsInColon(line: Row): boolean {
  return /\p{L}{2}.*:$/u.test(textOf([line]));
}

/** A box in which nothing is written has only its caption. */
function emptyBox({ lines }: FilledCell, usual: number): number {
  return lines.every((line) => heightOf(line) < usual / SMALLER) && isCaption(lines) ? lines.length : 0;
}

function isCaption(lines: readonly Row[]): boolean {
  const text = textOf(lines);
  return text.length <= LONGEST_CAPTION && /\p{L}{2}/u.test(text);
}

/** The usual height of its words: letters that a picture shows differ by their shape. */
function heightOf({ words }: Row): number {
  const heights = words.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  return heights[heights.length >> 1]!;
}
