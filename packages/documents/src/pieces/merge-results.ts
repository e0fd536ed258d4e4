import type { Piece } from './plan-pieces.ts';

/** What a request found on its pages. */
export interface PieceResult extends Piece {
  result: unknown;
}

/** Different values of requests for a field that occurs once. */
export interface Conflict {
  path: string;
  values: { value: unknown; pages: number[] }[];
}

/** An entry of a list of the merged result, with its origin. */
export interface MergedRow {
  value: unknown;
  piece: Piece;
  /** Its place in the list of the piece. */
  index: number;
}

export interface MergedResult {
  result: unknown;
  conflicts: Conflict[];
  /** The outermost lists of the result by path, with their entries in the same order. */
  lists: Map<string, MergedRow[]>;
  /** The piece of each value that occurs once, by path. */
  origins: Map<string, Piece>;
}

/**
 * Makes one result of those of the pieces: fields that stand once from the piece that has them, rows in the order of
 * the pages. Of several values of a field the most frequent stays, the first of equals, and the others become a conflict.
 *
 * @param pieces In any order, without overlaps.
 *
 * @example
 * import { mergeResults } from '@docwright/documents/long';
 *
 * mergeResults([
 *   { from: 1, to: 2, result: { no: 'A1', rows: [{ x: 1 }] } },
 *   { from: 3, to: 4, result: { no: null, rows: [{ x: 2 }] } },
 * ]).result; // { no: 'A1', rows: [{ x: 1 }, { x: 2 }] }
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
  // Texts and numbers of a list are no rows: one that several pieces name is one.
  const first = new Map<string, Piece>();
  const kept = entries.some(({ value }) => isObject(value))
    ? entries
    : entries.filter(({ value, piece }) => {
        const key = JSON.stringify(value);
        const known = first.get(key);
        if (!known) first.set(key, piece);
        return !known || known === piece;
      });
  merged.lists.set(path, kept);
  return kept.map(({ value }) => value);
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

/** Maps a path in a piece's result to the merged result; undefined if another piece's value was chosen. */
export function mergedPaths({ lists, origins }: MergedResult, piece: Piece): (path: string) => string | undefined {
  const places = new Map<string, string>();
  for (const [path, rows] of lists) {
    for (const [place, row] of rows.entries()) {
      if (row.piece.from === piece.from) places.set(`${path}.${row.index}`, `${path}.${place}`);
    }
  }
  return (path) => {
    if (origins.get(path)?.from === piece.from) return path;
    const parts = path.split('.');
    for (let length = 1; length <= parts.length; length += 1) {
      const place = places.get(parts.slice(0, length).join('.'));
      if (place !== undefined) return [place, ...parts.slice(length)].join('.');
    }
    return undefined;
  };
}

/** Adds the texts of entries to those of the entries before them. */
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

/** Takes entries out of a list, so that the entries after them move up. */
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

/** Texts that differ only in case and spaces are one value. */
function comparable(value: unknown): string {
  return typeof value === 'string'
    ? value.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
    : JSON.stringify(value);
}

/** Nothing was found: null, an empty text, an empty list, or an object of nothing else. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isAbsent);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
