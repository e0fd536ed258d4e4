import type { Word } from '../../page/page.ts';
import { median, medianHeight } from '../rows/median.ts';
import type { Row } from '../rows/rows.ts';
import { runsOf } from './runs.ts';
import { textOf, type FilledCell, type FoundTable } from './table.ts';

/** A caption is lower than the value in its box, or ends in a colon. Share of the value's height. */
const maxCaptionHeight = 0.9;
/** Boxes with a caption, and their share of all boxes, from which on a grid is a form. */
const minCaptionedBoxes = 2;
const minCaptionedShare = 0.25;
const maxCaptionLines = 3;
const maxCaptionLength = 120;
/** Boxes of forms are numbered: `12a See instructions`, `f. Name`. */
const numbered = /^(?:\d{1,2}[a-z]?|[a-z])[.)]? \p{L}{2}/u;

/** Turns a grid whose boxes have a small caption above or below their value into a form. Any other table is unchanged. */
export function asForm<CellWord extends Word>(table: FoundTable<CellWord>): FoundTable<CellWord> {
  const { cells } = table;
  const captioned = cells.filter(({ lines }) => captionLinesOf(lines) !== 0);
  const isNumbered = cells.filter(({ lines }) => numbered.test(textOf(lines))).length * 2 >= cells.length;
  if (captioned.length < minCaptionedBoxes) return table;
  if (!isNumbered && captioned.length < cells.length * minCaptionedShare) return table;
  const usualHeight = median(captioned.flatMap(({ lines }) => captionOf(lines).map(heightOf)))!;
  return {
    ...table,
    kind: 'form',
    cells: cells.flatMap((cell) =>
      splitBox(cell).map((box) => ({
        ...box,
        captionLines: captionLinesOf(box.lines) || captionLinesOfEmptyBox(box, usualHeight),
      })),
    ),
  };
}

/** Splits a box with several captions beside each other, or with one above and one below, into a box for each. */
function splitBox<CellWord extends Word>(cell: FilledCell<CellWord>): FilledCell<CellWord>[] {
  const { lines } = cell;
  const count = captionLinesOf(lines);
  if (count <= 0) return [cell];
  const value = lines.slice(count);
  const below = captionLinesOf(value);
  if (below < 0 && value.length + below > 1) {
    const values = value.slice(0, below);
    const gaps = values.slice(1).map((line, index) => line.y0 - values[index]!.y1);
    const cut = count + 1 + gaps.indexOf(Math.max(...gaps));
    return [...splitBox({ ...cell, lines: lines.slice(0, cut) }), { ...cell, lines: lines.slice(cut) }];
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

/** The number of caption lines: from the top, from the bottom if negative, 0 if no line is lower than the others. */
function captionLinesOf(lines: readonly Row[]): number {
  if (lines.length < 2) return 0;
  if (endsInColon(lines[0]!) && isCaption(lines.slice(0, 1))) return 1;
  const heights = lines.map(heightOf);
  const tallest = Math.max(...heights);
  const isSmall = heights.map((height) => height < tallest * maxCaptionHeight);
  const fromTop = isSmall.indexOf(false);
  const fromBottom = isSmall.toReversed().indexOf(false);
  if (fromTop > 0 && fromTop <= maxCaptionLines && isCaption(lines.slice(0, fromTop))) return fromTop;
  if (fromBottom > 0 && fromBottom <= maxCaptionLines && isCaption(lines.slice(-fromBottom))) return -fromBottom;
  return 0;
}

/** `Place of birth:` above a value of the same size. */
function endsInColon(line: Row): boolean {
  return /\p{L}{2}.*:$/u.test(textOf([line]));
}

/** A box without a value has its caption alone. */
function captionLinesOfEmptyBox({ lines }: FilledCell, usualHeight: number): number {
  return lines.every((line) => heightOf(line) < usualHeight / maxCaptionHeight) && isCaption(lines) ? lines.length : 0;
}

function isCaption(lines: readonly Row[]): boolean {
  const text = textOf(lines);
  return text.length <= maxCaptionLength && /\p{L}{2}/u.test(text);
}

/** The median height of the words: in a picture, the height of a word depends on its letters. */
function heightOf({ words }: Row): number {
  return medianHeight(words)!;
}
