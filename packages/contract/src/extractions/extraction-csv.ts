import type { Extraction } from './extractions.ts';

/** The media type of a result as CSV, for requests and answers. */
export const csvType = 'text/csv; charset=utf-8';

/**
 * A result as lines of CSV without their ends, a line for each value and the names of the columns before them: `path` (as in
 * `grounding`), `value`, `page`, `match`, `quote`. Where the result has issues, lines of comment (`# `) stand before all
 * others, and a column `issues` names the codes for each value. `written` changes texts beforehand, as a terminal needs it.
 *
 * @example extractionCsv(extraction)[1] // 'line_items.0.amount,120.5,1,exact,120.50'
 */
export function extractionCsv(
  { result, grounding, issues = [], is_complete = true }: CsvResult,
  written: (text: string) => string = (text) => text,
): string[] {
  const lines = leavesOf(result).map(({ path, value }) => {
    const place = grounding[path];
    const cells = [path, value, place?.page_num, place?.match, place?.quote];
    if (issues.length > 0) cells.push(codesFor(path, issues));
    return csvLine(cells.map((cell) => (typeof cell === 'string' ? written(cell) : cell)));
  });
  const columns = 'path,value,page,match,quote';
  if (issues.length === 0) return [columns, ...lines];
  return [...issueComments({ issues, is_complete }, written), `${columns},issues`, ...lines];
}

/**
 * What a result lacks, as the lines of comment that stand before its CSV; none where it has no issues. Messages hold values
 * of the document: what a spreadsheet would take for a formula in a cell of its own has an apostrophe put before it.
 *
 * @example issueComments(extraction)[0] // '# is_complete: false'
 */
export function issueComments(
  { issues, is_complete }: Pick<Extraction, 'issues' | 'is_complete'>,
  written: (text: string) => string = (text) => text,
): string[] {
  if (issues.length === 0) return [];
  const comments = issues.map(({ code, path, message }) => {
    const text = oneLine(`${code} ${path}: ${message}`).replaceAll(/([,;|]["'\s]*)(?=[=+\-@])/gu, "$1'");
    return `# ${written(text)}`;
  });
  return [`# is_complete: ${is_complete}`, ...comments];
}

type CsvResult = Pick<Extraction, 'result' | 'grounding'> & Partial<Pick<Extraction, 'issues' | 'is_complete'>>;

/** The codes of the issues of a value: those of its list or field, and those of the whole result. */
function codesFor(path: string, issues: Extraction['issues']): string {
  const own = issues.filter((issue) => issue.path === '' || path === issue.path || path.startsWith(`${issue.path}.`));
  return [...new Set(own.map(({ code }) => code))].join(' ');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Every scalar of a result, with its path as in grounding: `line_items.0.amount`. */
export function leavesOf(value: unknown, path = ''): { path: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const entries = Object.entries(value);
  return entries.flatMap(([key, below]) => leavesOf(below, path === '' ? key : `${path}.${key}`));
}

/**
 * One line of RFC 4180 without its end. A text that a spreadsheet would run as a formula has an apostrophe put before it;
 * numbers stay as they are, also those that are texts (`-5.00`).
 */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' ? harmless(cell) : JSON.stringify(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function harmless(text: string): string {
  const isNumber = /^[+-]?[\d.,\s]+%?$/.test(text);
  return /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text;
}
