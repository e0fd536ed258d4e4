import type { Piece } from './plan-pieces.ts';

/** The result of one piece. */
export interface PieceResult extends Piece {
  result: unknown;
}

/** Different values for a field that occurs once. */
interface Conflict {
  path: string;
  values: { value: unknown; pages: number[] }[];
}

/** An entry of a list of the merged result, and where it comes from. */
export interface MergedRow {
  value: unknown;
  piece: Piece;
  /** Its index in the list of the piece. */
  index: number;
}

/** One result for the whole document. */
export interface MergedResult {
  result: unknown;
  conflicts: Conflict[];
  /** The outermost lists of the result by path, with their entries in the same order. */
  lists: Map<string, MergedRow[]>;
  /** The piece of each value that occurs once, by path. */
  origins: Map<string, Piece>;
}

/**
 * Merges the results of pieces into one. A field that occurs once comes from the piece that has it, and rows are in the
 * order of the pages. Of several values of a field, the most frequent is chosen, or the first of equally frequent ones, and all
 * of them are a conflict.
 *
 * @param pieces In any order, without overlaps.
 *
 * @example
 * ```ts
 * import { mergeResults } from '@docwright/documents/long';
 *
 * const { result } = mergeResults([
 *   { from: 1, to: 2, result: { no: 'A1', rows: [{ x: 1 }] } },
 *   { from: 3, to: 4, result: { no: null, rows: [{ x: 2 }] } },
 * ]);
 * console.log(result); // { no: 'A1', rows: [{ x: 1 }, { x: 2 }] }
 * ```
 */
export function mergeResults(pieces: readonly PieceResult[]): MergedResult {
  const ordered = [...pieces].sort((a, b) => a.from - b.from);
  const merged: MergedResult = { result: undefined, conflicts: [], lists: new Map(), origins: new Map() };
  merged.result = mergeValues(
    ordered.map(({ from, to, result }) => ({ piece: { from, to }, value: result })),
    '',
    merged,
  );
  return merged;
}

interface Part {
  piece: Piece;
  value: unknown;
}

function mergeValues(parts: readonly Part[], path: string, merged: MergedResult): unknown {
  const present = parts.filter(({ value }) => !isAbsent(value));
  const [first] = present;
  if (!first) return parts[0]?.value;
  if (Array.isArray(first.value)) return mergeLists(present, path, merged);
  if (isObject(first.value)) {
    const objects = present.filter((part): part is Part & { value: Record<string, unknown> } => isObject(part.value));
    const keys = [...new Set(objects.flatMap(({ value }) => Object.keys(value)))];
    return Object.fromEntries(
      keys.map((key) => {
        const below = objects
          .filter(({ value }) => Object.hasOwn(value, key))
          .map(({ piece, value }) => ({ piece, value: value[key] }));
        return [key, mergeValues(below, path === '' ? key : `${path}.${key}`, merged)];
      }),
    );
  }
  return chooseValue(present, path, merged);
}

function mergeLists(parts: readonly Part[], path: string, merged: MergedResult): unknown[] {
  const entries = parts.flatMap(({ piece, value }) =>
    (Array.isArray(value) ? value : [value]).map((each: unknown, index): MergedRow => ({ value: each, piece, index })),
  );
  // Equal texts or numbers from several pieces are one entry; equal rows are several.
  const firstPieces = new Map<string, Piece>();
  const rows = entries.some(({ value }) => isObject(value))
    ? entries
    : entries.filter(({ value, piece }) => {
        const key = JSON.stringify(value);
        const known = firstPieces.get(key);
        if (!known) firstPieces.set(key, piece);
        return !known || known === piece;
      });
  merged.lists.set(path, rows);
  return rows.map(({ value }) => value);
}

function chooseValue(parts: readonly Part[], path: string, merged: MergedResult): unknown {
  const groups = new Map<string, { value: unknown; piece: Piece; count: number; pages: number[] }>();
  for (const { piece, value } of parts) {
    const key = comparable(value);
    const group = groups.get(key) ?? { value, piece, count: 0, pages: [] };
    group.count += 1;
    group.pages.push(piece.from);
    groups.set(key, group);
  }
  const ordered = [...groups.values()].sort((a, b) => b.count - a.count);
  if (ordered.length > 1) {
    merged.conflicts.push({ path, values: ordered.map(({ value, pages }) => ({ value, pages })) });
  }
  merged.origins.set(path, ordered[0]!.piece);
  return ordered[0]!.value;
}

/**
 * Maps paths in the result of a piece to paths in the merged result.
 *
 * @returns A function from a path such as `rows.0.amount` to that of the same value in the merged result. It returns undefined if
 * the value of another piece was chosen.
 *
 * @example
 * ```ts
 * import { mergedPaths, mergeResults } from '@docwright/documents/long';
 *
 * const pieces = [1, 2].map((page) => ({ from: page, to: page, result: { rows: [{ page }] } }));
 * console.log(mergedPaths(mergeResults(pieces), pieces[1]!)('rows.0.page')); // 'rows.1.page'
 * ```
 */
export function mergedPaths({ lists, origins }: MergedResult, piece: Piece): (path: string) => string | undefined {
  const mergedEntries = new Map<string, string>();
  for (const [path, rows] of lists) {
    for (const [index, row] of rows.entries()) {
      if (row.piece.from === piece.from) mergedEntries.set(`${path}.${row.index}`, `${path}.${index}`);
    }
  }
  return (path) => {
    if (origins.get(path)?.from === piece.from) return path;
    const parts = path.split('.');
    for (let length = 1; length <= parts.length; length += 1) {
      const entry = mergedEntries.get(parts.slice(0, length).join('.'));
      if (entry !== undefined) return [entry, ...parts.slice(length)].join('.');
    }
    return undefined;
  };
}

/** Appends the texts of entries to those of the entries before them. */
export function joinRows(merged: MergedResult, path: string, indexes: ReadonlySet<number>): MergedResult {
  const rows = [...(merged.lists.get(path) ?? [])];
  for (const index of indexes) {
    const [before, rest] = [rows[index - 1], rows[index]];
    if (!before || !rest || !isObject(before.value) || !isObject(rest.value)) continue;
    const value = { ...before.value };
    for (const [name, text] of Object.entries(rest.value)) {
      if (typeof text === 'string' && text.trim() !== '') value[name] = `${String(value[name])} ${text}`;
    }
    rows[index - 1] = { ...before, value };
  }
  return { ...merged, lists: new Map(merged.lists).set(path, rows) };
}

/** Removes entries of a list. */
export function withoutRows(merged: MergedResult, path: string, indexes: ReadonlySet<number>): MergedResult {
  const rows = (merged.lists.get(path) ?? []).filter((_, index) => !indexes.has(index));
  const result = structuredClone(merged.result);
  const keys = path === '' ? [] : path.split('.');
  const values = rows.map(({ value }) => value);
  let holder = result as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const last = keys.at(-1);
  if (last !== undefined) holder[last] = values;
  return { ...merged, result: last === undefined ? values : result, lists: new Map(merged.lists).set(path, rows) };
}

/** Texts that differ in case and spaces alone are equal. */
function comparable(value: unknown): string {
  return typeof value === 'string'
    ? value.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
    : JSON.stringify(value);
}

/** Whether a value is missing: null, an empty text, an empty list, or an object of missing values alone. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isAbsent);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
