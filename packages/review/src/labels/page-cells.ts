/** A part of a line that a wide space or a colon separates from the next. */
export interface LinePart {
  text: string;
  line: number;
  /** Columns of the line. */
  start: number;
  end: number;
  /** Whether a colon ends it, as a label. */
  hasColon: boolean;
}

const separator = /[ \u00a0]{2,}|\t+|(?<=\p{L}[ \u00a0]?|[.)#]):(?!\/\/)/gu;
/** A longer text is no label and no value, and the time of the value patterns grows with its square. */
const maxCellLength = 200;
const maxLineLength = 2_000;

/** The cells of a line. */
export function cellsOf(text: string, line: number): LinePart[] {
  const cells: LinePart[] = [];
  const searched = text.slice(0, maxLineLength);
  let start = 0;
  const add = (end: number, hasColon: boolean): void => {
    const raw = searched.slice(start, end);
    const trimmed = raw.trim();
    if (trimmed === '') return;
    const from = start + raw.indexOf(trimmed);
    cells.push({ text: trimmed.slice(0, maxCellLength), line, start: from, end: from + trimmed.length, hasColon });
  };
  for (const { index, 0: found } of searched.matchAll(separator)) {
    add(index, found === ':');
    start = index + found.length;
  }
  add(searched.length, false);
  return cells;
}

/** Lines between a label and the value below it. */
const maxLinesBelow = 2;

/** The first cell under a cell, within its columns. */
export function cellBelow(cell: LinePart, lines: readonly (readonly LinePart[])[]): LinePart | undefined {
  return nearCell(cell, lines.slice(cell.line + 1, cell.line + 1 + maxLinesBelow));
}

/** The first cell above a cell, within its columns. */
export function cellAbove(cell: LinePart, lines: readonly (readonly LinePart[])[]): LinePart | undefined {
  return nearCell(cell, lines.slice(Math.max(0, cell.line - maxLinesBelow), cell.line).toReversed());
}

function nearCell({ start, end }: LinePart, lines: readonly (readonly LinePart[])[]): LinePart | undefined {
  for (const cells of lines) {
    const found = cells.find((other) => other.start < end && other.end > start);
    if (found) return found;
  }
  return undefined;
}
