import type { PictureBlock } from '../../flow/block.ts';
import { tableRows } from '../../grid/table-lines.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { looksAlike, white } from '../alike-colors.ts';
import type { OfficeArchive } from '../office-archive.ts';
import { isWrittenWhite, shownAs } from '../shown-number.ts';
import { visibleCharacters } from '../visible-characters.ts';
import type { CellStyle } from './cell-format.ts';
import type { GivenFormat } from './format-rules.ts';
import { marginText, type StoredCell, type StoredSheet } from './read-sheet.ts';
import type { TextRun } from './text-runs.ts';
import { readSheetDrawings } from './sheet-drawings.ts';

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
  stored: StoredSheet;
  /** The number format that the rules give to a number in a cell. */
  givenFormat: (row: number, column: number, value: number) => GivenFormat;
  cellAt: ReadonlyMap<string, StoredCell>;
}

/** What a person sees of a sheet. */
export interface SheetView {
  lines: string[];
  rawAt: (row: number, column: number) => string | undefined;
  hiddenText: number;
  /** Pictures that have to be recognised. */
  pictures: PictureBlock[];
  unread: UnreadPart[];
}

/** What the view of a sheet needs of its workbook. */
export interface ViewSource {
  styleOf: (position: number) => CellStyle;
  is1904: boolean;
  archive: OfficeArchive;
  /** The parts that the sheets before this one name. */
  readParts: Set<string>;
  resultOf: (cell: StoredCell) => number | undefined;
  colorOf: (color: Readonly<Record<string, string>> | undefined) => string | undefined;
}

/** What a person sees of a sheet. */
export function viewOfSheet(
  { name, path, stored, givenFormat }: Sheet,
  { styleOf, is1904, archive, readParts, resultOf, colorOf }: ViewSource,
): SheetView {
  const isHidden = (row: number, column: number): boolean =>
    stored.hiddenRows.has(row) || stored.isColumnHidden(column);
  const covered = coveredCells(stored, isHidden);
  const shown: ShownCell[] = [];
  const unknown: string[] = [];
  const uncertain: string[] = [];
  let hiddenText = 0;
  for (const cell of stored.cells) {
    const style = styleOf(cell.style);
    const value = cell.value ?? resultOf(cell);
    if (value === undefined) {
      if (cell.formula !== undefined && !isHidden(cell.row, cell.column)) unknown.push(nameOf(cell));
      continue;
    }
    const given = typeof value === 'number' ? givenFormat(cell.row, cell.column, value) : undefined;
    const format = given?.format ?? style.format;
    const whole = textOf(value, cell.isError ? 'General' : format, is1904);
    const hasOtherColors = stored.hasOtherColors(cell.row, cell.column);
    // Parts of a text have colours of their own.
    const isSeen = ({ color: own }: TextRun): boolean => !looksAlike(own ? colorOf(own) : style.color, style.behind);
    const isInParts = whole === value && !hasOtherColors && cell.runs?.every(isSeen) === false;
    const text = isInParts
      ? cell
          .runs!.filter(isSeen)
          .map((run) => run.text)
          .join('')
      : whole;
    const place = covered(cell);
    const color = isWrittenWhite(value, format) ? white : style.color;
    const isUnseen = style.isTiny || (cell.runs === undefined && looksAlike(color, style.behind) && !hasOtherColors);
    if (place === undefined || isUnseen || text === '') hiddenText += visibleCharacters(String(value));
    else {
      if (isInParts) hiddenText += visibleCharacters(whole) - visibleCharacters(text);
      shown.push({ ...place, text, ...rawOf(value, cell.digits, text) });
      if (given?.isUncertain === true) uncertain.push(nameOf(cell));
    }
  }
  const table = sheetTable(shown);
  const drawn = readSheetDrawings(archive, path, readParts);
  // Nobody prints a sheet that is empty.
  const isEmpty = table.lines.length === 0 && drawn.lines.length === 0 && drawn.pictures.length === 0;
  const [header = '', ...margins] = isEmpty ? [] : stored.margins.map((text) => marginText(text, name));
  const before = [...new Set([name, header].filter(Boolean))];
  const after = [...drawn.lines, ...new Set(margins.filter((text) => text !== '' && text !== name))];
  return {
    lines: [...before, '', ...table.lines, ...(after.length > 0 ? ['', ...after] : [])],
    rawAt: (row, column) => table.rawAt(row - before.length - 1, column),
    hiddenText: hiddenText + drawn.hiddenText,
    pictures: drawn.pictures,
    unread: [
      ...(unknown.length > 0 ? [withoutResult(unknown)] : []),
      ...(uncertain.length > 0 ? [withoutFormat(uncertain)] : []),
      ...drawn.unread,
    ],
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

function withoutFormat(cells: readonly string[]): UnreadPart {
  const [first = ''] = cells;
  const more = cells.length === 1 ? '' : ` and in ${cells.length - 1} more cells`;
  return {
    kind: 'formula',
    name: first,
    message: `A rule with a formula can give the number in ${first}${more} another number format, such as another currency. Open the file in Excel to see it.`,
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
