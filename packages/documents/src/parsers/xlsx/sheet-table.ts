import { tableRows } from '../../grid/table-lines.ts';

/** A cell as it is seen. Rows and columns count from 0. */
export interface ShownCell {
  row: number;
  column: number;
  text: string;
  raw?: string;
}

/** The visible cells as lines with aligned columns. Columns without cells are left out; empty rows become one empty line. */
export function sheetTable(cells: readonly ShownCell[]): {
  lines: string[];
  /** The stored number of the cell whose text begins at this character of this line. */
  rawAt: (line: number, character: number) => string | undefined;
} {
  const columns = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b);
  const positionOf = new Map(columns.map((column, position) => [column, position]));
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const rows: string[][] = [];
  const raws: (string | undefined)[][] = [];
  let last = -1;
  for (const row of [...byRow.keys()].sort((a, b) => a - b)) {
    if (row > last + 1 && rows.length > 0) {
      rows.push([]);
      raws.push([]);
    }
    last = row;
    const texts: string[] = [];
    const rawTexts: (string | undefined)[] = [];
    for (const { column, text, raw } of byRow.get(row)!) {
      const position = positionOf.get(column)!;
      texts[position] = text;
      rawTexts[position] = raw;
    }
    rows.push(Array.from(texts, (text) => text ?? ''));
    raws.push(rawTexts);
  }
  const table = tableRows(rows);
  return {
    lines: table.map(({ line }) => line),
    rawAt: (line, character) => {
      const position = table[line]?.starts.indexOf(character) ?? -1;
      return position === -1 ? undefined : raws[line]![position];
    },
  };
}
