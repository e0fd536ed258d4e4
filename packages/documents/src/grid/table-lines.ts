/** A longer cell moves the rest of its row instead of widening the column for all rows. */
const maxColumnWidth = 40;
const columnGap = '  ';

/** A row of a table as a line, and where the text of each column starts in it. */
export interface AlignedRow {
  line: string;
  starts: number[];
}

/** Formats rows of cells as lines with aligned columns. Line ends within cells become spaces. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  return tableRows(rows).map(({ line }) => line);
}

/** The same with the place of each cell. */
export function tableRows(rows: readonly (readonly string[])[]): AlignedRow[] {
  const cells = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(cell.length, maxColumnWidth));
    }
  }
  return cells.map((row) => {
    let line = '';
    const starts = row.map((cell, column) => {
      const start = line.length;
      line += cell.padEnd(widths[column] ?? 0) + columnGap;
      return start;
    });
    return { line: line.trimEnd(), starts };
  });
}
