import type { TextPart } from './split-text.ts';

/** The offsets of a cell's text in the text of its page. */
export interface CellOffsets {
  start: number;
  end: number;
}

/** Larger tables stay text, since so many cells would slow the page down. */
const maxCells = 20_000;
const cellText = /\S+(?: \S+)*/gu;

/**
 * The rows of a table written as aligned columns: cells are two or more spaces apart. A cell that is longer than its
 * column shifts the rest of its row into the next columns.
 *
 * @returns undefined if the text is not a table, or the table is too large.
 */
export function textGrid(text: string): (CellOffsets | undefined)[][] | undefined {
  let offset = 0;
  const lines = text.split('\n').map((line) => {
    const start = offset;
    offset += line.length + 1;
    return [...line.matchAll(cellText)].map((match) => ({
      column: match.index,
      start: start + match.index,
      text: match[0],
    }));
  });
  const counts = new Map<number, number>();
  for (const { column } of lines.flat()) counts.set(column, (counts.get(column) ?? 0) + 1);
  const minCount = Math.max(2, lines.length / 10);
  const starts = [...counts]
    .filter(([, count]) => count >= minCount)
    .map(([column]) => column)
    .toSorted((a, b) => a - b);
  if (starts.length < 2 || starts.length * lines.length > maxCells) return undefined;
  return lines
    .filter((line) => line.length > 0)
    .map((line) => {
      const row: (CellOffsets | undefined)[] = starts.map(() => undefined);
      let next = 0;
      let isShifted = false;
      for (const { column, start, text: cell } of line) {
        const aligned = starts.findLastIndex((each) => each <= column);
        const place: number = isShifted ? Math.min(next, starts.length - 1) : Math.max(aligned, next);
        row[place] = { start: row[place]?.start ?? start, end: start + cell.length };
        isShifted ||= column + cell.length > (starts[place + 1] ?? Infinity);
        next = place + 1;
      }
      return row;
    });
}

/** A part of a page's text: a table, or the prose between tables. */
export interface TextBlock extends CellOffsets {
  grid?: (CellOffsets | undefined)[][];
}

/** Consecutive lines with text, or consecutive empty lines. */
const lineGroups = /(?:[^\n]+(?:\n|$))+|\n+/gu;
const gap = /\S {2,}\S/u;

/** Splits text into prose and tables of aligned columns, as in the text of a Word document. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const { 0: group, index: start } of text.matchAll(lineGroups)) {
    const end = start + group.length;
    const lines = group.trimEnd().split('\n');
    const isTable = lines.length > 1 && lines.filter((line) => gap.test(line)).length > lines.length / 2;
    const grid = isTable ? textGrid(group) : undefined;
    const last = blocks.at(-1);
    if (grid !== undefined) {
      const onPage = (cell: CellOffsets) => ({ start: cell.start + start, end: cell.end + start });
      blocks.push({ start, end, grid: grid.map((row) => row.map((cell) => cell && onPage(cell))) });
    } else if (last !== undefined && last.grid === undefined) last.end = end;
    else blocks.push({ start, end });
  }
  return blocks;
}

/** The parts of a page's text that are in a cell, cut at its ends. */
export function partsIn(parts: readonly TextPart[], { start, end }: CellOffsets): TextPart[] {
  let offset = 0;
  return parts.flatMap((part) => {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, part.text.length);
    offset += part.text.length;
    return from < to ? [{ ...part, text: part.text.slice(from, to) }] : [];
  });
}
