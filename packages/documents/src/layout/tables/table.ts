import type { Box } from '../../page/box.ts';
import type { CellPlace, PageTable } from '../../page/page-table.ts';
import type { Word } from '../../page/page.ts';
import type { Row } from '../rows/rows.ts';

/** A cell while the page is laid out: its words in lines from top to bottom. */
export interface FilledCell<CellWord extends Word = Word> extends CellPlace {
  lines: Row<CellWord>[];
  /** The number of caption lines: from the top, or from the bottom if negative. */
  captionLines: number;
}

/** A table while the page is laid out, in the coordinates of upright text. */
export interface FoundTable<CellWord extends Word = Word> extends Box {
  kind: PageTable['kind'];
  rows: number;
  columns: number;
  cells: FilledCell<CellWord>[];
}

/** The text of lines, on one line. */
export function textOf(lines: readonly Row[]): string {
  return lines.map(({ words }) => words.map(({ text }) => text).join(' ')).join(' ');
}

/** The lines of a form's box, as its caption and its value. */
export function partsOf<CellWord extends Word>({
  lines,
  captionLines,
}: FilledCell<CellWord>): {
  caption: Row<CellWord>[];
  value: Row<CellWord>[];
} {
  if (captionLines >= 0) return { caption: lines.slice(0, captionLines), value: lines.slice(captionLines) };
  return { caption: lines.slice(captionLines), value: lines.slice(0, captionLines) };
}
