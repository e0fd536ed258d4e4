import { tableRows } from '../../grid/table-lines.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { readChart } from '../chart.ts';
import { drawnParagraphs } from '../drawn-paragraphs.ts';
import type { OfficeArchive } from '../office-archive.ts';
import { shownAs } from '../shown-number.ts';
import { visibleCharacters } from '../visible-characters.ts';
import type { CellStyle } from './cell-format.ts';
import type { StoredCell, StoredSheet } from './read-sheet.ts';

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
  stored: StoredSheet;
  cellAt: ReadonlyMap<string, StoredCell>;
}

/** What a person sees of a sheet. */
export interface SheetView {
  lines: string[];
  rawAt: (row: number, column: number) => string | undefined;
  hiddenText: number;
  unread: UnreadPart[];
}

/** What the view of a sheet needs of its workbook. */
export interface ViewSource {
  styleOf: (position: number) => CellStyle;
  is1904: boolean;
  archive: OfficeArchive;
  resultOf: (cell: StoredCell) => number | undefined;
}

/** What a person sees of a sheet. */
export function viewOfSheet(
  { name, path, stored }: Sheet,
  { styleOf, is1904, archive, resultOf }: ViewSource,
): SheetView {
  const isHidden = (row: number, column: number): boolean =>
    stored.hiddenRows.has(row) || stored.isColumnHidden(column);
  const covered = coveredCells(stored, isHidden);
  const shown: ShownCell[] = [];
  const unknown: string[] = [];
  let hiddenText = 0;
  for (const cell of stored.cells) {
    const style = styleOf(cell.style);
    const value = cell.value ?? resultOf(cell);
    if (value === undefined) {
      if (cell.formula !== undefined && !isHidden(cell.row, cell.column)) unknown.push(nameOf(cell));
      continue;
    }
    const text = textOf(value, cell.isError ? 'General' : style.format, is1904);
    const place = covered(cell);
    const isWhite = style.isWhite && !stored.hasOtherColors;
    if (place === undefined || isWhite || text === '') hiddenText += visibleCharacters(String(value));
    else shown.push({ ...place, text, ...rawOf(value, cell.digits, text) });
  }
  const table = sheetTable(shown);
  const drawn = drawingTexts(archive, path);
  const before = [...new Set([name, ...stored.margins.slice(0, 1).filter(Boolean)])];
  const after = [...drawn.lines, ...stored.margins.slice(1).filter(Boolean)];
  return {
    lines: [...before, '', ...table.lines, ...(after.length > 0 ? ['', ...new Set(after)] : [])],
    rawAt: (row, column) => table.rawAt(row - before.length - 1, column),
    hiddenText,
    unread: [...(unknown.length > 0 ? [withoutResult(unknown)] : []), ...drawn.unread],
  };
}

/** Where a cell is seen: a merged cell at the first row and column of its range that can be seen. */
function coveredCells(
  { merged }: StoredSheet,
  isHidden: (row: number, column: number) => boolean,
): (cell: StoredCell) => { row: number; column: number } | undefined {
  const ranges = merged.filter((range) => range.bottom > range.top || range.right > range.left);
  const byRow = Map.groupBy(
    ranges.flatMap((range) =>
      Array.from({ length: Math.min(range.bottom - range.top + 1, 10_000) }, (_, index) => ({
        row: range.top + index,
        range,
      })),
    ),
    ({ row }) => row,
  );
  return ({ row, column }) => {
    const range = byRow.get(row)?.find((each) => column >= each.range.left && column <= each.range.right)?.range;
    if (range === undefined) return isHidden(row, column) ? undefined : { row, column };
    if (row !== range.top || column !== range.left) return undefined;
    for (let top = range.top; top <= range.bottom; top += 1) {
      for (let left = range.left; left <= Math.min(range.right, range.left + 1000); left += 1) {
        if (!isHidden(top, left)) return { row: top, column: left };
      }
    }
    return undefined;
  };
}

function textOf(value: number | string | boolean, pattern: string, is1904: boolean): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return shownAs(value, pattern, is1904);
}

/** The stored number, where the cell does not show all of it. */
function rawOf(value: number | string | boolean, digits: string | undefined, text: string): { raw?: string } {
  const raw = digits ?? String(value);
  return typeof value !== 'number' || text === raw || text === String(value) ? {} : { raw };
}

function nameOf({ row, column }: StoredCell): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}

function withoutResult(cells: readonly string[]): UnreadPart {
  const [first = ''] = cells;
  const more = cells.length === 1 ? '' : ` and ${cells.length - 1} more`;
  return {
    kind: 'formula',
    name: first,
    message: `The result of the formula in ${first}${more} is not stored in the file. Open it in Excel, save it and upload it again.`,
  };
}

/** A cell as it is seen. Rows and columns count from 0. */
interface ShownCell {
  row: number;
  column: number;
  text: string;
  raw?: string;
}

/** The visible cells as lines with aligned columns. Columns without cells are left out; empty rows become one empty line. */
function sheetTable(cells: readonly ShownCell[]): {
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

/** The texts of shapes and charts on a sheet, and the pictures on it, which are not read. */
function drawingTexts(archive: OfficeArchive, sheetPath: string): { lines: string[]; unread: UnreadPart[] } {
  const lines: string[] = [];
  const unread: UnreadPart[] = [];
  for (const link of archive.relations(sheetPath).values()) {
    if (link.type === 'oleObject' || link.type === 'package') {
      unread.push({ kind: 'embedded_file', message: 'A file in this sheet was not read. Save it and upload that.' });
    }
    if (link.type !== 'drawing') continue;
    lines.push(...drawnParagraphs(archive.xml(link.target)));
    for (const { type, target } of archive.relations(link.target).values()) {
      if (type === 'chart') {
        const { texts, rows } = readChart(archive.xml(target));
        lines.push(...texts, ...tableRows(rows).map(({ line }) => line));
      }
      if (type !== 'image') continue;
      const name = target.slice(target.lastIndexOf('/') + 1);
      unread.push({ kind: 'picture', name, message: 'A picture on this sheet was not read.' });
    }
  }
  return { lines, unread };
}
