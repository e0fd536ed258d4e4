import { leavesOf } from '../grounding/leaves.ts';
import type { PrintedTable } from '../row-counting/count-rows.ts';
import { createRowMatcher } from './match-rows.ts';
import { isAbsent, type MergedRow } from './merge-results.ts';
import { listsOfRows, tablesOf, type MatchedList, type RowOwners } from './row-owners.ts';
import { pagesOf } from './plan-pieces.ts';
import { tokensOf } from './row-tokens.ts';

/** Missing or repeated rows of one list. */
interface RowFinding {
  code: 'rows_missing' | 'rows_duplicate';
  /** Path of the list. */
  path: string;
  /** Pages of the missing or repeated rows. */
  pages: number[];
  /** Number of printed rows; absent if it is unknown. */
  counted?: number;
  /** Number of rows in the result. */
  got: number;
}

/** The comparison of a result with the printed rows. */
export interface CheckedRows {
  findings: RowFinding[];
  /** Pages with missing rows, of all lists. */
  missingPages: Set<number>;
  /** Number of rows with a printed row of their own, by the first page of their piece. */
  matched: Map<number, number>;
  /** Entries that a piece repeats from pages outside of it, by path of the list. */
  strayRows: Map<string, Set<number>>;
  /** Entries that continue the previous entry, because their row crosses the end of a piece. By path of the list. */
  continuedRows: Map<string, Set<number>>;
}

/** A list of the schema without rows in the result, with the names of its fields. */
export interface ListWithoutRows {
  path: string;
  fields: readonly string[];
}

/** If the count is rough, rows count as missing only below this share of a table with at least so many rows. */
const minRoughShare = 0.8;
const minRoughRows = 20;
/** A list of at least so many rows is numbered if a field increases by one in this share of them. */
const minNumberedRows = 8;
const minNumberedShare = 0.9;

/**
 * Prepares the comparison of the lists of results with the printed rows.
 *
 * @param tables As `createRowCounter` returns them.
 * @returns A function that compares the lists of one result, as `mergeResults` returns them.
 */
export function createRowCheck(
  tables: readonly PrintedTable[],
): (lists: ReadonlyMap<string, readonly MergedRow[]>, emptyLists?: readonly ListWithoutRows[]) => CheckedRows {
  const matcher = createRowMatcher(tables);
  return (lists, emptyLists = []) => {
    const checked: CheckedRows = {
      findings: [],
      missingPages: new Set(),
      matched: new Map(),
      strayRows: new Map(),
      continuedRows: new Map(),
    };
    const claimed = new Set<number>();
    const matched: MatchedList[] = [];
    for (const [path, rows] of lists) {
      if (!rows.every(({ value }) => typeof value === 'object' && value !== null)) continue;
      const matches = matcher.match(rows.map(({ value, piece }) => ({ value, pages: new Set(pagesOf(piece)) })));
      for (const [index, match] of matches.entries()) {
        const { from } = rows[index]!.piece;
        if (match && !match.is_repeated) checked.matched.set(from, (checked.matched.get(from) ?? 0) + 1);
      }
      matched.push({ path, rows, matches });
    }
    const ownersOf = listsOfRows(matched, tables);
    for (const list of matched) checkList({ ...list, tables, ownersOf, claimed }, checked);
    for (const list of emptyLists) checkEmptyList(list, tables, claimed, checked);
    return checked;
  };
}

/** Reports the rows of a table that no list was read from, if its columns are named like the fields of the list. */
function checkEmptyList(
  { path, fields }: ListWithoutRows,
  tables: readonly PrintedTable[],
  claimed: Set<number>,
  checked: CheckedRows,
): void {
  const fieldTokens = fields.map((field) => tokensOf(field.replaceAll(/[_-]/g, ' ')));
  for (const [index, { header, rows, is_certain }] of tables.entries()) {
    if (!is_certain || claimed.has(index)) continue;
    const printed = new Set(tokensOf(header.join(' ')));
    const namedCount = fieldTokens.filter((tokens) => tokens.some((token) => printed.has(token))).length;
    if (namedCount < 2 || namedCount < fields.length / 2) continue;
    claimed.add(index);
    const pages = pageList(rows.map(({ page_num }) => page_num));
    for (const page of pages) checked.missingPages.add(page);
    checked.findings.push({ code: 'rows_missing', path, pages, counted: rows.length, got: 0 });
    return;
  }
}

interface CheckedList extends MatchedList {
  ownersOf: RowOwners;
  tables: readonly PrintedTable[];
  /** Tables that some list is read from. */
  claimed: Set<number>;
}

function checkList(list: CheckedList, checked: CheckedRows): void {
  const { path, rows, matches, tables } = list;
  const ownTables = tablesOf(list, tables);
  for (const table of ownTables) list.claimed.add(table);
  const repeated = matches.flatMap((match, index) =>
    match?.is_repeated === true && ownTables.has(match.table) ? [{ match, index }] : [],
  );
  const isOwn = (table: number, row: number): boolean => (list.ownersOf.get(table)?.[row] ?? path) === path;
  const ownRows = (table: number): number[] => [...tables[table]!.rows.keys()].filter((row) => isOwn(table, row));
  const counted = [...ownTables].reduce((sum, table) => sum + ownRows(table).length, 0);
  if (repeated.length > 0) {
    const pages = pageList(repeated.map(({ match }) => tables[match.table]!.rows[match.row]!.page_num));
    checked.findings.push({ code: 'rows_duplicate', path, pages, counted, got: rows.length });
    const stray = repeated.filter(({ match, index }) => {
      const { from, to } = rows[index]!.piece;
      const { page_num } = tables[match.table]!.rows[match.row]!;
      return page_num < from || page_num > to;
    });
    if (stray.length > 0) checked.strayRows.set(path, new Set(stray.map(({ index }) => index)));
  }
  const isCounted = [...ownTables].some((table) => tables[table]!.is_certain);
  const continued = isCounted ? rows.flatMap((_, index) => (continuesRow(list, index) ? [index] : [])) : [];
  if (continued.length > 0) checked.continuedRows.set(path, new Set(continued));
  if (ownTables.size > 0) {
    const missing = missingRows(list, ownTables, ownRows, repeated.length, continued.length);
    if (missing.length > 0) {
      const pages = pageList(missing);
      for (const page of pages) checked.missingPages.add(page);
      checked.findings.push({ code: 'rows_missing', path, pages, counted, got: rows.length - repeated.length });
    }
  }
  if (isCounted) return;
  checkNumbering(list, checked);
  checkEqualRows(list, checked);
}

/**
 * Whether the first entry of a piece continues the last entry of the piece before: it has a few texts alone and no printed row of
 * its own. Such lines at the top of a page belong to the row at the foot of the previous page.
 */
function continuesRow({ rows, matches }: CheckedList, index: number): boolean {
  const [before, row] = [rows[index - 1], rows[index]!];
  if (before === undefined || matches[index] !== undefined || matches[index - 1] === undefined) return false;
  if (row.index !== 0 || before.piece.to + 1 !== row.piece.from) return false;
  const values = presentValues(row.value);
  if (values.length === 0 || values.some(([, value]) => typeof value !== 'string')) return false;
  const valuesBefore = presentValues(before.value);
  const textNames = new Set(valuesBefore.flatMap(([name, value]) => (typeof value === 'string' ? [name] : [])));
  return values.length <= valuesBefore.length / 2 && values.every(([name]) => textNames.has(name));
}

function presentValues(value: unknown): [name: string, value: unknown][] {
  return Object.entries(value as object).filter(([, each]) => !isAbsent(each));
}

/** The pages of the printed rows without a row in the result, one page for each row. */
function missingRows(
  { matches, rows, tables }: CheckedList,
  ownTables: ReadonlySet<number>,
  ownRows: (table: number) => number[],
  repeated: number,
  continued: number,
): number[] {
  const taken = new Set(matches.flatMap((match) => (match ? [`${match.table} ${match.row}`] : [])));
  // A row that differs too much to be matched counts as one of the unmatched printed rows.
  let unmatched = matches.filter((match) => match === undefined).length - continued;
  const missing: number[] = [];
  for (const table of ownTables) {
    const { is_certain } = tables[table]!;
    const own = ownRows(table);
    const printed = own.map((row) => tables[table]!.rows[row]!);
    const untaken = printed.filter((_, at) => !taken.has(`${table} ${own[at]}`));
    const standIns = Math.min(unmatched, untaken.length);
    unmatched -= standIns;
    if (untaken.length <= standIns) continue;
    const isRough = !is_certain;
    const found = Math.max(printed.length - untaken.length + standIns, 0);
    if (isRough && (printed.length < minRoughRows || found >= printed.length * minRoughShare)) continue;
    if (isRough && rows.length - repeated >= printed.length * minRoughShare) continue;
    missing.push(...untaken.map(({ page_num }) => page_num));
  }
  return missing;
}

/** Checks the numbers of rows, if the count is rough: a gap is a missing row. */
function checkNumbering({ path, rows }: CheckedList, checked: CheckedRows): void {
  const numbering = numberingOf(rows);
  if (!numbering) return;
  let gaps = 0;
  const missing: number[] = [];
  const repeated: number[] = [];
  for (const [index, value] of numbering.entries()) {
    const step = index === 0 ? 1 : value - numbering[index - 1]!;
    const { from } = rows[index]!.piece;
    if (step > 1) {
      gaps += step - 1;
      missing.push(from);
    } else if (step === 0) repeated.push(from);
  }
  const got = rows.length;
  if (gaps > 0 && !hasFinding(checked, path, 'rows_missing')) {
    checked.findings.push({ code: 'rows_missing', path, pages: pageList(missing), counted: got + gaps, got });
    for (const page of missing) checked.missingPages.add(page);
  }
  if (repeated.length > 0 && !hasFinding(checked, path, 'rows_duplicate')) {
    checked.findings.push({ code: 'rows_duplicate', path, pages: pageList(repeated), got });
  }
}

/** The values of a field that increases by one in nearly every row. */
function numberingOf(rows: readonly MergedRow[]): number[] | undefined {
  if (rows.length < minNumberedRows) return undefined;
  const names = Object.keys(rows[0]!.value as object);
  for (const name of names) {
    const values = rows.map(({ value }) => Number.parseInt(String((value as Record<string, unknown>)[name]), 10));
    if (!values.every(Number.isSafeInteger)) continue;
    const steps = values.slice(1).filter((value, index) => value === values[index]! + 1).length;
    if (steps >= (values.length - 1) * minNumberedShare) return values;
  }
  return undefined;
}

/** Checks for equal rows where two pieces meet, if the count is rough. */
function checkEqualRows({ path, rows }: CheckedList, checked: CheckedRows): void {
  if (hasFinding(checked, path, 'rows_duplicate')) return;
  const pages: number[] = [];
  for (let index = 1; index < rows.length; index += 1) {
    const [before, row] = [rows[index - 1]!, rows[index]!];
    if (before.piece.from === row.piece.from || leavesOf(row.value).length < 3) continue;
    if (JSON.stringify(before.value) === JSON.stringify(row.value)) pages.push(row.piece.from);
  }
  if (pages.length > 0) checked.findings.push({ code: 'rows_duplicate', path, pages, got: rows.length });
}

function hasFinding({ findings }: CheckedRows, path: string, code: RowFinding['code']): boolean {
  return findings.some((finding) => finding.path === path && finding.code === code);
}

/** Number of pages in a finding. */
const maxNamedPages = 100;

function pageList(pages: readonly number[]): number[] {
  return [...new Set(pages)].sort((a, b) => a - b).slice(0, maxNamedPages);
}
