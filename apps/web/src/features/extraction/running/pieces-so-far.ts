import type { ExtractedPiece } from '@docwright/contract';

/** What the pieces of a long document hold so far: rows in the order of the pages, fields from the first piece that has them. */
export function piecesSoFar(pieces: readonly ExtractedPiece[]): unknown {
  let read = 0;
  return (
    pieces
      .toSorted((one, other) => one.from - other.from || other.to - one.to)
      // A piece that was split and read again stands there with its halves.
      .filter(({ to }) => {
        const isNew = to > read;
        read = Math.max(read, to);
        return isNew;
      })
      .map(({ result }) => result)
      .reduce<unknown>((before, next) => together(before, next), undefined)
  );
}

function together(before: unknown, next: unknown): unknown {
  if (before === undefined || before === null) return next;
  if (Array.isArray(before)) return Array.isArray(next) ? [...before, ...(next as unknown[])] : before;
  if (!isObject(before) || !isObject(next)) return before;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])];
  return Object.fromEntries(keys.map((key) => [key, together(before[key], next[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
