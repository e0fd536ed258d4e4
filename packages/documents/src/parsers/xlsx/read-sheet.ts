import { Parser } from 'htmlparser2';
import { addsRun, addText, coloredRuns, localName, unescapeText, type SharedText, type TextRun } from './text-runs.ts';

/** A cell as it is stored. Rows and columns count from 0. */
export interface StoredCell {
  row: number;
  column: number;
  style: number;
  /** The stored value: absent if the cell has a formula without one. */
  value: number | string | boolean | undefined;
  /** The digits of a number as the file has them. */
  digits?: string;
  isError: boolean;
  formula: string | undefined;
  /** The parts of a text that have fonts of their own. */
  runs?: readonly TextRun[];
}

/** A range of cells, inclusive. */
export interface CellRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface StoredSheet {
  cells: StoredCell[];
  hiddenRows: ReadonlySet<number>;
  isColumnHidden: (column: number) => boolean;
  merged: CellRange[];
  /** Tables colour their cells, beside the styles of these. */
  hasTables: boolean;
  /** Texts above and below each printed page, with their codes. */
  margins: string[];
}

/** Points of a row and letters of a column: less shows no letter. */
const minSize = 0.6;
const usualSize = 10;

/** Reads the cells of a sheet from its XML. `shared` are the texts that cells name by number. */
export function readSheet(xml: string, shared: readonly SharedText[]): StoredSheet {
  const cells: StoredCell[] = [];
  const hiddenRows = new Set<number>();
  const hiddenColumns: [first: number, last: number][] = [];
  const merged: CellRange[] = [];
  const margins: string[] = [];
  let hasTables = false;
  let row = -1;
  let column = -1;
  let cell:
    | { style: number; type: string; value: string; hasValue: boolean; formula: string | undefined; runs: TextRun[] }
    | undefined;
  let phonetic = 0;
  let target: 'value' | 'formula' | 'margin' | undefined;
  let margin = '';
  let hasOther: OtherPages = {};
  const parser = new Parser(
    {
      onopentag(prefixed, attribs) {
        const name = localName(prefixed);
        if (name === 'row') {
          row = attribs['r'] === undefined ? row + 1 : Number(attribs['r']) - 1;
          column = -1;
          if (isTrue(attribs['hidden']) || Number(attribs['ht'] ?? usualSize) < minSize) hiddenRows.add(row);
        } else if (name === 'c') {
          const place = attribs['r'] === undefined ? undefined : placeOf(attribs['r']);
          column = place?.column ?? column + 1;
          row = place?.row ?? row;
          cell = {
            style: Number(attribs['s'] ?? 0),
            type: attribs['t'] ?? 'n',
            value: '',
            hasValue: false,
            formula: undefined,
            runs: [],
          };
        } else if (cell && addsRun(cell.runs, name, attribs)) return;
        else if (name === 'rPh') phonetic += 1;
        else if (cell && (name === 'v' || name === 't') && phonetic === 0) {
          target = 'value';
          cell.hasValue = true;
        } else if (cell && name === 'f') {
          target = 'formula';
          cell.formula = '';
        } else if (name === 'col') {
          if (isTrue(attribs['hidden']) || Number(attribs['width'] ?? usualSize) < minSize) {
            hiddenColumns.push([Number(attribs['min']) - 1, Number(attribs['max']) - 1]);
          }
        } else if (name === 'mergeCell') {
          const range = rangeOf(attribs['ref'] ?? '');
          if (range) merged.push(range);
        } else if (name === 'tablePart') hasTables = true;
        else if (name === 'headerFooter')
          hasOther = { even: attribs['differentOddEven'], first: attribs['differentFirst'] };
        else if (isPrinted(name, hasOther)) {
          target = 'margin';
          margin = '';
        }
      },
      ontext(text) {
        if (target === 'value') {
          cell!.value += text;
          addText(cell!.runs, text);
        } else if (target === 'formula') cell!.formula += text;
        else if (target === 'margin') margin += text;
      },
      onclosetag(prefixed) {
        const name = localName(prefixed);
        if (target === 'margin') margins.push(margin);
        if (name === 'v' || name === 't' || name === 'f' || target === 'margin') target = undefined;
        if (name === 'rPh') phonetic -= 1;
        if (name === 'c' && cell) {
          const { style, formula, type } = cell;
          if (cell.hasValue || formula !== undefined) {
            const value = cell.hasValue ? valueOf(cell.value, type, shared) : undefined;
            const digits = typeof value === 'number' ? { digits: cell.value.trim() } : {};
            const runs = type === 's' ? shared[Number(cell.value)]?.runs : coloredRuns(cell.runs);
            cells.push({ row, column, style, formula, value, ...digits, isError: type === 'e', ...(runs && { runs }) });
          }
          cell = undefined;
        }
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return {
    cells,
    hiddenRows,
    isColumnHidden: (index) => hiddenColumns.some(([first, last]) => index >= first && index <= last),
    merged,
    hasTables,
    margins,
  };
}

function valueOf(value: string, type: string, shared: readonly SharedText[]): StoredCell['value'] {
  switch (type) {
    case 's':
      return shared[Number(value)]?.text ?? '';
    case 'b':
      return value.trim() === '1' || value.trim() === 'true';
    case 'n':
      return value.trim() === '' ? undefined : Number(value);
    case 'd':
      return serialOf(value) ?? value;
    default:
      return unescapeText(value);
  }
}

/** Excel's number of a date and time as ISO writes it. */
function serialOf(text: string): number | undefined {
  const time = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time / 86_400_000 + 25_569;
}

/** Row and column of a reference such as `B7` or `$B$7`. */
function placeOf(reference: string): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference) ?? [];
  if (letters === undefined || digits === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

/** The range of `A1:B7`, or of `A1` alone. */
export function rangeOf(reference: string): CellRange | undefined {
  const [from = '', to = from] = reference.split(':');
  const start = placeOf(from);
  const end = placeOf(to);
  if (!start || !end) return undefined;
  return {
    top: Math.min(start.row, end.row),
    left: Math.min(start.column, end.column),
    bottom: Math.max(start.row, end.row),
    right: Math.max(start.column, end.column),
  };
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Whether even pages and the first page have texts of their own above and below. */
interface OtherPages {
  even?: string | undefined;
  first?: string | undefined;
}

/** Whether an element is a text above or below printed pages. */
function isPrinted(name: string, { even, first }: OtherPages): boolean {
  if (/^odd(?:Header|Footer)$/.test(name)) return true;
  return (
    (/^even(?:Header|Footer)$/.test(name) && isTrue(even)) || (/^first(?:Header|Footer)$/.test(name) && isTrue(first))
  );
}

/**
 * The text above or below the printed pages of a sheet, without fonts, sizes and the codes of dates and file names. The number of a
 * page is only known to a printer: it is left out, with the word or two around it.
 */
export function marginText(stored: string, sheet: string): string {
  const parts = stored.split(/&[LCR]/i).map((part) => {
    const text = part
      .replaceAll('&&', '\0')
      .replace(/&"[^"]*"|&K[0-9A-F]{6}|&\d+/gi, ' ')
      .replace(/&A/gi, () => sheet)
      .replace(/&[PNDTFZGBIUESXY]/gi, '')
      .replaceAll('\0', '&')
      .replace(/\s+/g, ' ')
      .trim();
    const isNumber = /&P/i.test(part) && !/\d/.test(text) && text.split(' ').length <= 2;
    return isNumber ? '' : text;
  });
  return parts.filter(Boolean).join(' ');
}
