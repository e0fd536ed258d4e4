import { gridPage, paginate } from '../../grid/grid-pages.ts';
import type { Page } from '../../page/page.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { childElements, firstChild, openArchive, type OfficeArchive } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { readStyles, shownAs, type CellStyle } from './cell-format.ts';
import { drawingTexts } from './drawing-texts.ts';
import { readSharedTexts, readSheet, type StoredCell, type StoredSheet } from './read-sheet.ts';
import { compute } from './arithmetic.ts';
import { sheetTable, type ShownCell } from './sheet-table.ts';

interface Sheet {
  name: string;
  isHidden: boolean;
  path: string;
  stored: StoredSheet;
  cellAt: ReadonlyMap<string, StoredCell>;
}

/** What a person sees of a sheet. */
interface SheetView {
  lines: string[];
  rawAt: (row: number, column: number) => string | undefined;
  hiddenText: number;
  unread: UnreadPart[];
}

/**
 * A workbook: each sheet that is not hidden is one page under its name, as long and as wide as the sheet, with its cells as
 * Excel shows them. A very long sheet has several pages.
 */
export const openXlsx: DocumentReader = async (bytes, limits) => {
  const archive = openArchive(bytes, limits.unpackedBytes);
  const workbookPath = pathOfMain(archive) ?? 'xl/workbook.xml';
  const workbook = archive.xml(workbookPath);
  if (workbook === undefined) throw new Error('The archive has no workbook.');
  const relations = archive.relations(workbookPath);
  const partOf = (type: string): string | undefined =>
    [...relations.values()].find((link) => link.type === type)?.target;
  const shared = readSharedTexts(archive.text(partOf('sharedStrings') ?? 'xl/sharedStrings.xml') ?? '');
  const styleOf = readStyles(archive.xml(partOf('styles') ?? 'xl/styles.xml'));
  const is1904 = /^(?:1|true)$/.test(firstChild(workbook, 'workbookPr')?.attribs['date1904'] ?? '');
  const sheets = childElements(firstChild(workbook, 'sheets')).flatMap(({ attribs }): Sheet[] => {
    const path = relations.get(attribs['r:id'] ?? '')?.target;
    const xml = path === undefined ? undefined : archive.text(path);
    if (path === undefined || xml === undefined) return [];
    const stored = readSheet(xml, shared);
    return [
      {
        name: attribs['name'] ?? '',
        isHidden: (attribs['state'] ?? 'visible') !== 'visible',
        path,
        stored,
        cellAt: new Map(stored.cells.map((cell) => [`${cell.row},${cell.column}`, cell])),
      },
    ];
  });
  const numbers = formulaResults(sheets);
  let hiddenText = 0;
  const pages: { lines: string[]; first: number; view: SheetView }[] = [];
  for (const sheet of sheets) {
    if (sheet.isHidden) {
      for (const { value } of sheet.stored.cells) hiddenText += visibleCharacters(String(value ?? ''));
      continue;
    }
    const view = viewOf(sheet, { styleOf, is1904, archive, resultOf: (cell) => numbers(sheet, cell) });
    let first = 0;
    for (const lines of paginate(view.lines)) {
      pages.push({ lines, first, view });
      first += lines.length;
    }
  }
  if (pages.length === 0) {
    const view: SheetView = { lines: [], rawAt: () => undefined, hiddenText: 0, unread: [] };
    pages.push({ lines: [], first: 0, view });
  }
  return { pageCount: pages.length, pages: readPages(pages, hiddenText), unread: [] };
};

function* readPages(
  pages: readonly { lines: string[]; first: number; view: SheetView }[],
  hiddenSheets: number,
): Generator<Page> {
  for (const [index, { lines, first, view }] of pages.entries()) {
    const hidden = (first === 0 ? view.hiddenText : 0) + (index === 0 ? hiddenSheets : 0);
    const page = gridPage(lines, index + 1, hidden, (row, column) => view.rawAt(first + row, column));
    const unread = first === 0 ? view.unread.map((part) => ({ ...part, page_num: index + 1 })) : [];
    yield unread.length === 0 ? page : { ...page, unread };
  }
}

interface ViewSource {
  styleOf: (position: number) => CellStyle;
  is1904: boolean;
  archive: OfficeArchive;
  resultOf: (cell: StoredCell) => number | undefined;
}

function viewOf({ name, path, stored }: Sheet, { styleOf, is1904, archive, resultOf }: ViewSource): SheetView {
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

/** The results of formulas that have none stored, where they are arithmetic over stored numbers. */
function formulaResults(sheets: readonly Sheet[]): (sheet: Sheet, cell: StoredCell) => number | undefined {
  const byName = new Map(sheets.map((sheet) => [sheet.name.toLowerCase(), sheet]));
  const known = new Map<StoredCell, number | undefined>();
  const maxDepth = 200;
  const resultOf = (sheet: Sheet, cell: StoredCell, depth: number): number | undefined => {
    if (cell.formula === undefined || cell.formula === '' || depth > maxDepth) return undefined;
    if (known.has(cell)) return known.get(cell);
    // A formula that needs its own result has none.
    known.set(cell, undefined);
    const result = compute(cell.formula, (name, row, column) => {
      const other = name === undefined ? sheet : byName.get(name.toLowerCase());
      const source = other?.cellAt.get(`${row},${column}`);
      if (other === undefined || source?.isError === true) return undefined;
      if (typeof source?.value === 'number') return source.value;
      if (source === undefined || source.value !== undefined || source.formula === undefined) return null;
      return resultOf(other, source, depth + 1);
    });
    known.set(cell, result);
    return result;
  };
  return (sheet, cell) => resultOf(sheet, cell, 0);
}

function pathOfMain(archive: OfficeArchive): string | undefined {
  return [...archive.relations('').values()].find(({ type }) => type === 'officeDocument')?.target;
}
