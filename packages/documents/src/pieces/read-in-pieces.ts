import type { PrintedTable } from '../row-counting/count-rows.ts';
import { createRowCheck, type CheckedRows, type ListWithoutRows } from './check-rows.ts';
import { joinRows, mergeResults, withoutRows, type MergedResult, type PieceResult } from './merge-results.ts';
import { splitPiece, type Piece } from './plan-pieces.ts';

/** The outcome of one request. `cut`: the answer stopped at the output limit of the model. */
export type PieceAnswer =
  | { kind: 'read'; result: unknown }
  | { kind: 'cut'; reason: unknown }
  | { kind: 'failed'; reason: unknown };

/** A document to read in pieces. */
export interface PieceReading {
  /** As `planPieces` returns them. */
  pieces: readonly Piece[];
  /** As `createRowCounter` returns them. */
  tables: readonly PrintedTable[];
  /** The lists of objects in the schema. Those that stay empty are compared with the tables too. */
  lists?: readonly ListWithoutRows[];
  /** Reads one piece. An error that it throws ends the reading. */
  ask: (piece: Piece) => Promise<PieceAnswer>;
  /** Number of concurrent requests. */
  concurrency: number;
  /** Number of all requests, including repeated ones. */
  maxRequests: number;
  /** Called when a piece has been planned or read. */
  onProgress?: (progress: { pieces_done: number; pieces_total: number }) => void;
}

/** The result of a document that was read in pieces. */
export interface ReadPieces {
  merged: MergedResult;
  /** The pieces whose results were merged. */
  read: PieceResult[];
  failed: { piece: Piece; reason: unknown }[];
  /** The comparison of its lists with the printed rows. */
  rows: CheckedRows;
  /** Number of requests. */
  requests: number;
}

/**
 * Reads a document in pieces, several at a time. A piece is split and read again if its answer was cut or has fewer rows
 * than its pages show, as long as that brings more rows, down to single pages.
 *
 * @throws The error of `ask` or `onProgress`.
 *
 * @example
 * ```ts
 * import { planPieces, readInPieces, type Piece, type PieceAnswer } from '@docwright/documents/long';
 *
 * declare function ask(piece: Piece): Promise<PieceAnswer>;
 * const pages = [1, 2, 3].map((page_num) => ({ page_num, characters: 4_000 }));
 * const pieces = planPieces(pages, [], { characters: 8_000, rows: 100 });
 * const { merged, failed } = await readInPieces({ pieces, tables: [], ask, concurrency: 4, maxRequests: 20 });
 * console.log(merged.result, failed.length);
 * ```
 */
export async function readInPieces(reading: PieceReading): Promise<ReadPieces> {
  const { tables, lists = [], ask, concurrency, maxRequests, onProgress } = reading;
  const check = createRowCheck(tables);
  const answers = new Map<Piece, PieceAnswer>();
  let active = [...reading.pieces];
  let requests = 0;
  let total = active.length;
  const report = (): void => onProgress?.({ pieces_done: answers.size, pieces_total: total });

  async function askAll(pieces: readonly Piece[]): Promise<void> {
    const waiting = [...pieces];
    let failure: { error: unknown } | undefined;
    const askNext = async (): Promise<void> => {
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
    await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, askNext));
    if (failure) throw failure.error;
  }

  /** The halves of a piece, unless they would exceed the number of requests. */
  function halvesOf(piece: Piece, planned: number): [Piece, Piece] | undefined {
    return requests + planned + 2 > maxRequests ? undefined : splitPiece(piece, tables);
  }

  async function askHalves(pieces: readonly Piece[]): Promise<Map<Piece, [Piece, Piece]>> {
    const halves = new Map<Piece, [Piece, Piece]>();
    for (const piece of pieces) {
      const pair = halvesOf(piece, halves.size * 2);
      if (pair) halves.set(piece, pair);
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
  /** Pieces that are not split again. */
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
    const incomplete = active.filter(
      (piece) =>
        !settled.has(piece) &&
        answers.get(piece)?.kind === 'read' &&
        hasPageIn(piece, rows.missingPages) &&
        piece.to > piece.from,
    );
    if (incomplete.length === 0) break;
    for (const piece of incomplete) settled.add(piece);
    const halves = await splitCutHalves(await askHalves(incomplete));
    if (halves.size === 0) break;
    const matchedAgain = checkOf(replaced(halves)).rows.matched;
    const better = new Map(
      [...halves].filter(([piece, parts]) => {
        const matchedRows = parts.reduce((sum, part) => sum + (matchedAgain.get(part.from) ?? 0), 0);
        const isWhole = parts.every((part) => answers.get(part)?.kind === 'read');
        return isWhole && matchedRows > (rows.matched.get(piece.from) ?? 0);
      }),
    );
    active = replaced(better);
    if (better.size === 0) break;
  }

  /** Splits halves whose answers were cut too, so that they can be compared with the whole piece. */
  async function splitCutHalves(halves: Map<Piece, readonly Piece[]>): Promise<Map<Piece, readonly Piece[]>> {
    for (;;) {
      const cut = [...halves.values()]
        .flat()
        .filter((piece) => answers.get(piece)?.kind === 'cut' && !settled.has(piece));
      if (cut.length === 0) return halves;
      for (const piece of cut) settled.add(piece);
      const parts = await askHalves(cut);
      if (parts.size === 0) return halves;
      for (const [piece, pair] of halves)
        halves.set(
          piece,
          pair.flatMap((half) => parts.get(half) ?? [half]),
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
