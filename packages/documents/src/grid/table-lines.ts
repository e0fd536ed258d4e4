/** A longer cell moves the rest of its row instead of widening the column for all rows. */
const maxColumnWidth = 40;
const columnGap = '  ';

/** Formats rows of cells as lines with aligned columns. Line ends within cells become spaces. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(cell.length, maxColumnWidth));
    }
  }
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(columnGap)
      .trimEnd(),
  );
}
