import type { Extraction } from './extractions.ts';

/** The media type of a result as CSV, for requests and answers. */
export const csvType = 'text/csv; charset=utf-8';

/**
 * Formats a result as CSV lines without line ends: a header and a line for each value, with the columns `path` (as in
 * `grounding`), `value`, `page`, `match`, `quote`. For a result with issues, comment lines (`# `) come first, and a column
 * `issues` has the codes for each value. `escapeText` is applied to all texts, for example for output to a terminal.
 *
 * @example extractionCsv(extraction)[1] // 'line_items.0.amount,120.5,1,exact,120.50'
 */
export function extractionCsv(extraction: CsvResult, escapeText?: (text: string) => string): string[] {
  return [...extractionCsvLines(extraction, escapeText)];
}

/**
 * The lines of `extractionCsv` one by one: a result can have 100,000 values.
 *
 * @example for (const line of extractionCsvLines(extraction)) write(line)
 */
export function* extractionCsvLines(
  { result, grounding, issues = [], is_complete = true }: CsvResult,
  escapeText: (text: string) => string = (text) => text,
): Generator<string, void, undefined> {
  const columns = 'path,value,page,match,quote';
  yield* issueComments({ issues, is_complete }, escapeText);
  yield issues.length === 0 ? columns : `${columns},issues`;
  for (const { path, value } of eachLeaf(result, '')) {
    const place = grounding[path];
    const cells = [path, place?.raw ?? value, place?.page_num, place?.match, place?.quote];
    if (issues.length > 0) cells.push(issueCodesOf(path, issues));
    yield csvLine(cells.map((cell) => (typeof cell === 'string' ? escapeText(cell) : cell)));
  }
}

/**
 * Formats the issues of a result as the comment lines before its CSV; none without issues. Messages contain values of the
 * document: text that a spreadsheet could take for a formula is prefixed with an apostrophe.
 *
 * @example issueComments(extraction)[0] // '# is_complete: false'
 */
export function issueComments(
  { issues, is_complete }: Pick<Extraction, 'issues' | 'is_complete'>,
  escapeText: (text: string) => string = (text) => text,
): string[] {
  if (issues.length === 0) return [];
  const comments = issues.map(({ code, path, message }) => {
    const text = oneLine(`${code} ${path}: ${message}`).replaceAll(/([,;|]["'\s]*)(?=[=+\-@])/gu, "$1'");
    return `# ${escapeText(text)}`;
  });
  return [`# is_complete: ${is_complete}`, ...comments];
}

type CsvResult = Pick<Extraction, 'result' | 'grounding'> & Partial<Pick<Extraction, 'issues' | 'is_complete'>>;

/** The codes of the issues of a value: those of its list or field, and those of the whole result. */
function issueCodesOf(path: string, issues: Extraction['issues']): string {
  const own = issues.filter((issue) => issue.path === '' || path === issue.path || path.startsWith(`${issue.path}.`));
  return [...new Set(own.map(({ code }) => code))].join(' ');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/**
 * A copy of a result in which numbers that had to be rounded are the texts of their digits, for showing and exporting.
 *
 * @example withExactNumbers(extraction) // { account: '12345678901234567890' }
 */
export function withExactNumbers({ result, grounding }: Pick<Extraction, 'result' | 'grounding'>): unknown {
  for (const path in grounding)
    if (grounding[path]!.raw !== undefined) return withDigits(result, (each) => grounding[each]?.raw);
  return result;
}

/**
 * An extraction whose `result` is that of `withExactNumbers`, for showing and editing.
 *
 * @example withExactResult(extraction).result // { account: '12345678901234567890' }
 */
export function withExactResult<Shown extends Pick<Extraction, 'result' | 'grounding'>>(extraction: Shown): Shown {
  const result = withExactNumbers(extraction);
  return result === extraction.result ? extraction : { ...extraction, result };
}

/**
 * A copy of a value in which each number with digits of its own, by its path, is their text.
 *
 * @example withDigits({ account: 1 }, (path) => ({ account: '12345678901234567890' })[path])
 */
export function withDigits(value: unknown, digitsAt: (path: string) => string | undefined, path = ''): unknown {
  if (typeof value === 'number') return digitsAt(path) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const below = (key: string | number, item: unknown) =>
    withDigits(item, digitsAt, path === '' ? `${key}` : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item, at) => below(at, item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(key, item)]));
}

/** Every scalar of a result, with its path as in grounding: `line_items.0.amount`. */
export function leavesOf(value: unknown, path = ''): { path: string; value: unknown }[] {
  return [...eachLeaf(value, path)];
}

function* eachLeaf(value: unknown, path: string): Generator<{ path: string; value: unknown }, void, undefined> {
  if (typeof value !== 'object' || value === null) yield { path, value };
  else for (const [key, below] of Object.entries(value)) yield* eachLeaf(below, path === '' ? key : `${path}.${key}`);
}

/**
 * Formats one line of RFC 4180 without its line end. A text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe, also behind a line break or another separator: where lists are separated by semicolons, spreadsheets begin a
 * cell there. Numbers are unchanged, also as text (`-5.00`).
 */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' ? escapeFormula(cell) : JSON.stringify(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Also in the wide letters of Japanese, which Excel reads as the narrow ones, and behind signs that are not shown. */
const formulaStart = String.raw`["'\p{Cf}\p{Cc}]*[=+\-@＝＋－＠−]`;
const beginsAsFormula = new RegExp(String.raw`^(?:[\t\r\n]|${formulaStart})`, 'u');
const formulaInside = new RegExp(String.raw`([;|\t\r\n])(?=${formulaStart})`, 'gu');

function escapeFormula(text: string): string {
  const isNumber = /^[+-]?[\d.,\s]+(?:[eE][+-]?\d+)?%?$/.test(text);
  if (isNumber) return text;
  const escaped = text.replaceAll(formulaInside, "$1'");
  return beginsAsFormula.test(escaped) ? `'${escaped}` : escaped;
}
