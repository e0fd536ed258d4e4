import type { PrintedTable } from '../row-counting/count-rows.ts';
import { createRowCheck, type CheckedRows, type EmptyList } from './check-rows.ts';
import { joinRows, mergeResults, withoutRows, type MergedResult, type PieceResult } from './merge-results.ts';
import { splitPiece, type Piece } from './plan-pieces.ts';

/** What came of one request. `cut`: the answer stopped at the model's output limit. */
export type PieceAnswer =
  | { kind: 'read'; result: unknown }
  | { kind: 'cut'; reason: unknown }
  | { kind: 'failed'; reason: unknown };

export interface PieceReading {
  pieces: readonly Piece[];
  tables: readonly PrintedTable[];
  /** Lists of objects that the schema has: one that stays empty is held against the tables too. */
  lists?: readonly EmptyList[];
  /** Reads one piece. What it throws ends the reading. */
  ask: (piece: Piece) => Promise<PieceAnswer>;
  /** Requests at the same time. */
  atOnce: number;
  /** Requests altogether, those that ask again among them. */
  maxRequests: number;
  /** Called as soon as a piece is planned or read. */
  onProgress?: (progress: { pieces_done: number; pieces_total: number }) => void;
}

export interface ReadPieces {
  merged: MergedResult;
  /** The pieces whose results were merged. */
  read: PieceResult[];
  failed: { piece: Piece; reason: unknown }[];
  rows: CheckedRows;
  requests: number;
}

/**
 * Reads a document in pieces, several at once. A piece whose answer was cut, or holds fewer rows than its pages show, is
 * split and read again while that brings more rows, at most down to single pages.
 */
export async function readInPieces(reading: PieceReading): Promise<ReadPieces> {
  const { tables, lists = [], ask, atOnce, maxRequests, onProgress } = reading;
  const check = createRowCheck(tables);
  const answers = new Map<Piece, PieceAnswer>();
  let active = [...reading.pieces];
  let requests = 0;
  let total = active.length;
  const report = (): void => onProgress?.({ pieces_done: answers.size, pieces_total: total });

  async function askAll(pieces: readonly Piece[]): Promise<void> {
    const waiting = [...pieces];
    let failure: { error: unknown } | undefined;
    const work = async (): Promise<void> => {
      for (let piece = waiting.shift(); piece && !failure; piece = waiting.shift()) {
        requests += 1;
        try {
          answers.set(piece, await ask(piece));
        } catch (error) {
          failure ??= { error };
        }
        if (!failure) report();
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
    if (failure) throw failure.error;
  }

  /** The halves of a piece, unless they would be more requests than there can be. */
  function halvesOf(piece: Piece, planned: number): [Piece, Piece] | undefined {
    return requests + planned + 2 > maxRequests ? undefined : splitPiece(piece, tables);
  }

  async function askHalves(pieces: readonly Piece[]): Promise<Map<Piece, [Piece, Piece]>> {
    const halves = new Map<Piece, [Piece, Piece]>();
    for (const piece of pieces) {
      const two = halvesOf(piece, halves.size * 2);
      if (two) halves.set(piece, two);
    }
    const asked = [...halves.values()].flat();
    total += asked.length;
    report();
    await askAll(asked);
    return halves;
  }

  const resultsOf = (pieces: readonly Piece[]): PieceResult[] =>
    pieces.flatMap((piece) => {
      const answer = answers.get(piece);
      return answer?.kind === 'read' ? [{ ...piece, result: answer.result }] : [];
    });
  const checkOf = (pieces: readonly Piece[]): { merged: MergedResult; rows: CheckedRows } => {
    const merged = mergeResults(resultsOf(pieces));
    const empty = lists.filter(({ path }) => (merged.lists.get(path)?.length ?? 0) === 0);
    return { merged, rows: check(merged.lists, empty) };
  };
  const replaced = (halves: ReadonlyMap<Piece, readonly Piece[]>): Piece[] =>
    active.flatMap((piece) => halves.get(piece) ?? [piece]);

  report();
  await askAll(active);
  /** Pieces that were read again in vain. */
  const settled = new Set<Piece>();
  for (;;) {
    const cut = active.filter((piece) => answers.get(piece)?.kind === 'cut' && !settled.has(piece));
    if (cut.length > 0) {
      const halves = await askHalves(cut);
      for (const piece of cut) settled.add(piece);
      active = replaced(halves);
      if (halves.size > 0) continue;
    }
    const { rows } = checkOf(active);
    const short = active.filter(
      (piece) =>
        !settled.has(piece) &&
        answers.get(piece)?.kind === 'read' &&
        hasPageIn(piece, rows.missingPages) &&
        piece.to > piece.from,
    );
    if (short.length === 0) break;
    for (const piece of short) settled.add(piece);
    const halves = await readCut(await askHalves(short));
    if (halves.size === 0) break;
    const again = checkOf(replaced(halves)).rows.matched;
    const better = new Map(
      [...halves].filter(([piece, parts]) => {
        const now = parts.reduce((sum, part) => sum + (again.get(part.from) ?? 0), 0);
        const isWhole = parts.every((part) => answers.get(part)?.kind === 'read');
        return isWhole && now > (rows.matched.get(piece.from) ?? 0);
      }),
    );
    active = replaced(better);
    if (better.size === 0) break;
  }

  /** Halves whose answers were cut themselves are split on, so that they can be held against the whole. */
  async function readCut(halves: Map<Piece, readonly Piece[]>): Promise<Map<Piece, readonly Piece[]>> {
    for (;;) {
      const cut = [...halves.values()]
        .flat()
        .filter((piece) => answers.get(piece)?.kind === 'cut' && !settled.has(piece));
      if (cut.length === 0) return halves;
      for (const piece of cut) settled.add(piece);
      const parts = await askHalves(cut);
      if (parts.size === 0) return halves;
      for (const [piece, two] of halves)
        halves.set(
          piece,
          two.flatMap((half) => parts.get(half) ?? [half]),
        );
    }
  }

  const { merged: all, rows } = checkOf(active);
  let merged = all;
  for (const path of new Set([...rows.strayRows.keys(), ...rows.continuedRows.keys()])) {
    const continued = rows.continuedRows.get(path) ?? new Set();
    merged = withoutRows(
      joinRows(merged, path, continued),
      path,
      continued.union(rows.strayRows.get(path) ?? new Set()),
    );
  }
  const failed = active.flatMap((piece) => {
    const answer = answers.get(piece);
    return answer === undefined || answer.kind === 'read' ? [] : [{ piece, reason: answer.reason }];
  });
  return { merged, read: resultsOf(active), failed, rows, requests };
}

function hasPageIn({ from, to }: Piece, pages: ReadonlySet<number>): boolean {
  for (let page = from; page <= to; page += 1) if (pages.has(page)) return true;
  return false;
}
