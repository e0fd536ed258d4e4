import type { PictureBlock } from '../../flow/block.ts';
import { tableRows } from '../../grid/table-lines.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { looksAlike, white } from '../alike-colors.ts';
import type { OfficeArchive } from '../office-archive.ts';
import { isWrittenWhite, shownAs } from '../shown-number.ts';
import { visibleCharacters } from '../visible-characters.ts';
import type { CellStyle } from './cell-format.ts';
import type { GivenLook } from './cell-rules.ts';
import { marginText, type StoredCell, type StoredSheet } from './read-sheet.ts';
import { readSheetDrawings } from './sheet-drawings.ts';

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
  stored: StoredSheet;
  /** How the rules let a cell with this value look. */
  givenLook: (row: number, column: number, value: number | string | boolean) => GivenLook;
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
  { name, path, stored, givenLook }: Sheet,
  { styleOf, is1904, archive, readParts, resultOf, colorOf }: ViewSource,
): SheetView {
  const isHidden = (row: number, column: number): boolean =>
    stored.hiddenRows.has(row) || stored.isColumnHidden(column);
  const covered = coveredCells(stored, isHidden);
  const shown: ShownCell[] = [];
  const unknown: string[] = [];
  const otherFormat: string[] = [];
  const unsure: string[] = [];
  let hiddenText = 0;
  for (const cell of stored.cells) {
    const style = styleOf(cell.style);
    const value = cell.value ?? resultOf(cell);
    if (value === undefined) {
      if (cell.formula !== undefined && !isHidden(cell.row, cell.column)) unknown.push(nameOf(cell));
      continue;
    }
    const { known, possible } = givenLook(cell.row, cell.column, value);
    const format = (typeof value === 'number' ? known.format : undefined) ?? style.format;
    const behind = known.behind ?? style.behind;
    const color = known.color ?? (isWrittenWhite(value, format) ? white : style.color);
    // Something else can have given the letters, or what is behind them, another colour.
    const isColorSure = !stored.hasTables && possible.every((look) => (look.color ?? look.behind) === undefined);
    const isSeen = (letters: string | undefined): boolean => !isColorSure || !looksAlike(letters, behind);
    // Parts of a text have colours of their own, which a rule outweighs.
    const seen = cell.runs
      ? cell.runs.filter(({ color: own }) => isSeen(own ? (known.color ?? colorOf(own)) : color))
      : undefined;
    const seenValue = seen && seen.length < cell.runs!.length ? seen.map((run) => run.text).join('') : value;
    const isUnseen =
      style.isTiny ||
      (known.isValueHidden === true && typeof value === 'number') ||
      (seen ? seen.length === 0 : !isSeen(color));
    const text = isUnseen || seenValue === '' ? '' : textOf(seenValue, cell.isError ? 'General' : format, is1904);
    const place = covered(cell);
    if (place === undefined || text === '') hiddenText += visibleCharacters(String(value));
    else {
      hiddenText += visibleCharacters(String(value)) - visibleCharacters(String(seenValue));
      shown.push({ ...place, text, ...rawOf(value, cell.digits, text) });
      if (typeof value === 'number' && possible.some((look) => look.format !== undefined))
        otherFormat.push(nameOf(cell));
      const canBeUnseen = possible.some((look) => looksAlike(look.color ?? color, look.behind ?? behind));
      if (canBeUnseen && !looksAlike(color, behind)) unsure.push(nameOf(cell));
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
      ...(otherFormat.length > 0 ? [withoutFormat(otherFormat)] : []),
      ...(unsure.length > 0 ? [withoutColor(unsure)] : []),
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

function withoutColor(cells: readonly string[]): UnreadPart {
  const [first = ''] = cells;
  const more = cells.length === 1 ? '' : ` and in ${cells.length - 1} more cells`;
  return {
    kind: 'formula',
    name: first,
    message: `A rule with a formula can give the text in ${first}${more} the colour behind it, so that nobody sees it. Open the file in Excel to see whether it does.`,
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
