import type { ExtractedPiece } from '@docwright/contract';
import { isRecord } from '../../../shared/http/json-value.ts';

/** Merges the finished pieces of a long document: rows in page order, fields from the first piece that has them. */
export function piecesSoFar(pieces: readonly ExtractedPiece[]): unknown {
  let lastPage = 0;
  return (
    pieces
      .toSorted((one, other) => one.from - other.from || other.to - one.to)
      // A piece that was split is listed together with its halves; the halves are skipped.
      .filter(({ to }) => {
        const isNew = to > lastPage;
        lastPage = Math.max(lastPage, to);
        return isNew;
      })
      .map(({ result }) => result)
      .reduce<unknown>((before, next) => mergeResults(before, next), undefined)
  );
}

function mergeResults(before: unknown, next: unknown): unknown {
  if (before === undefined || before === null) return next;
  if (Array.isArray(before)) return Array.isArray(next) ? [...before, ...(next as unknown[])] : before;
  if (!isRecord(before) || !isRecord(next)) return before;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])];
  return Object.fromEntries(keys.map((key) => [key, mergeResults(before[key], next[key])]));
}
