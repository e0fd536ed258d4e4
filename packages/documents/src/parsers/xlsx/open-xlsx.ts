import { choosePictures, type PicturePage } from '../../flow/picture-pages.ts';
import { gridPage, paginate } from '../../grid/grid-pages.ts';
import { imagePage } from '../../page/image-page.ts';
import type { Page } from '../../page/page.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { childElements, firstChild, openArchive, type OfficeArchive } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { compute } from './arithmetic.ts';
import { readCellStyles, readColors } from './cell-format.ts';
import { readCellRules, ruleLooks } from './cell-rules.ts';
import { readSheet, type StoredCell } from './read-sheet.ts';
import { viewOfSheet, type Sheet, type SheetView } from './sheet-view.ts';
import { readSharedTexts } from './text-runs.ts';

/** Lines of a sheet, of which `first` is the first one. */
interface SheetPage {
  lines: string[];
  first: number;
  view: SheetView;
}

/**
 * A workbook: each sheet that is not hidden is one page under its name, as long and as wide as the sheet, with its cells as
 * Excel shows them. A very long sheet has several pages. A picture on a sheet is a page of its own behind it, which waits for
 * recognition.
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
  const styles = archive.xml(partOf('styles') ?? 'xl/styles.xml');
  const styleOf = readCellStyles(styles);
  const colorOf = readColors(styles);
  const looks = ruleLooks(styles, colorOf);
  const is1904 = /^(?:1|true)$/.test(firstChild(workbook, 'workbookPr')?.attribs['date1904'] ?? '');
  // A damaged list can name a sheet twice.
  const listed = new Set<string>();
  const sheets = childElements(firstChild(workbook, 'sheets')).flatMap(({ attribs }): Sheet[] => {
    const path = relations.get(attribs['r:id'] ?? '')?.target;
    const xml = path === undefined || listed.has(path) ? undefined : archive.text(path);
    if (path === undefined || xml === undefined) return [];
    listed.add(path);
    const stored = readSheet(xml, shared);
    return [
      {
        name: attribs['name'] ?? '',
        isHidden: (attribs['state'] ?? 'visible') !== 'visible',
        path,
        stored,
        givenLook: readCellRules(xml, looks),
        cellAt: new Map(stored.cells.map((cell) => [`${cell.row},${cell.column}`, cell])),
      },
    ];
  });
  if (sheets.length === 0) throw new Error('The workbook has none of its sheets.');
  const numbers = formulaResults(sheets);
  let hiddenText = 0;
  const unread: UnreadPart[] = [];
  const pictureOf = choosePictures(unread);
  const readParts = new Set<string>();
  const pages: (SheetPage | PicturePage)[] = [];
  for (const sheet of sheets) {
    if (sheet.isHidden) {
      for (const { value } of sheet.stored.cells) hiddenText += visibleCharacters(String(value ?? ''));
      continue;
    }
    const view = viewOfSheet(sheet, {
      styleOf,
      is1904,
      archive,
      readParts,
      resultOf: (cell) => numbers(sheet, cell),
      colorOf,
    });
    let first = 0;
    for (const lines of paginate(view.lines)) {
      pages.push({ lines, first, view });
      first += lines.length;
    }
    pages.push(...view.pictures.flatMap((picture) => pictureOf(picture) ?? []));
  }
  if (pages.length === 0) {
    const view: SheetView = { lines: [], rawAt: () => undefined, hiddenText: 0, pictures: [], unread: [] };
    pages.push({ lines: [], first: 0, view });
  }
  return {
    pageCount: pages.length,
    pages: readPages(pages, hiddenText),
    unread: [...unread, ...archive.unread],
    pictureOf(pageNumber) {
      const page = pages[pageNumber - 1];
      return page !== undefined && 'picture' in page ? page.picture : undefined;
    },
  };
};

function* readPages(pages: readonly (SheetPage | PicturePage)[], hiddenSheets: number): Generator<Page> {
  for (const [index, sheetOrPicture] of pages.entries()) {
    if ('picture' in sheetOrPicture) {
      yield imagePage(index + 1, sheetOrPicture.width, sheetOrPicture.height);
      continue;
    }
    const { lines, first, view } = sheetOrPicture;
    const hidden = (first === 0 ? view.hiddenText : 0) + (index === 0 ? hiddenSheets : 0);
    const page = gridPage(lines, index + 1, hidden, (row, column) => view.rawAt(first + row, column));
    const unread = first === 0 ? view.unread.map((part) => ({ ...part, page_num: index + 1 })) : [];
    yield unread.length === 0 ? page : { ...page, unread };
  }
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
