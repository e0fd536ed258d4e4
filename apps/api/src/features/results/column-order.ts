import type { Cell } from '@docwright/contract';

type ReadCell = (row: number) => Cell;

/**
 * Rows in the order of their values: numbers before texts before booleans, those without a value last, ties as they were.
 * Only different values are compared with each other, and rows are counted into place: 100,000 rows take a fraction of the
 * time that comparing them takes.
 */
export function orderedBy(rows: Uint32Array, read: ReadCell, descending: boolean): Uint32Array {
  const rankOf = ranksOf(rows, read, descending);
  const last = rankOf.size;
  const ranks = new Uint32Array(rows.length);
  const starts = new Uint32Array(last + 2);
  for (let at = 0; at < rows.length; at += 1) {
    const cell = read(rows[at]!);
    const rank = cell === null ? last : rankOf.get(cell)!;
    ranks[at] = rank;
    starts[rank + 1]! += 1;
  }
  for (let rank = 1; rank < starts.length; rank += 1) starts[rank]! += starts[rank - 1]!;
  const ordered = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) ordered[starts[ranks[at]!]!++] = rows[at]!;
  return ordered;
}

/** The place of each different value. */
function ranksOf(rows: Uint32Array, read: ReadCell, descending: boolean): Map<Cell, number> {
  const [numbers, texts, booleans] = [new Set<number>(), new Set<string>(), new Set<boolean>()];
  for (const row of rows) {
    const cell = read(row);
    if (typeof cell === 'number') numbers.add(cell);
    else if (typeof cell === 'string') texts.add(cell);
    else if (cell !== null) booleans.add(cell);
  }
  const values: Cell[] = [
    ...Float64Array.from(numbers).sort(),
    // Without a comparison of its own: by code units, as texts are compared elsewhere.
    ...[...texts].sort(),
    ...[false, true].filter((value) => booleans.has(value)),
  ];
  if (descending) values.reverse();
  return new Map(values.map((value, rank) => [value, rank]));
}

/** An order in the other direction: rows without a value stay last, and ties stay as they were. */
export function reversedOrder(rows: Uint32Array, read: ReadCell): Uint32Array {
  const reversed = new Uint32Array(rows.length);
  let end = rows.length;
  while (end > 0 && read(rows[end - 1]!) === null) end -= 1;
  let at = 0;
  for (let last = end; last > 0;) {
    let first = last - 1;
    const value = read(rows[first]!);
    while (first > 0 && read(rows[first - 1]!) === value) first -= 1;
    for (let next = first; next < last; next += 1) reversed[at++] = rows[next]!;
    last = first;
  }
  reversed.set(rows.subarray(end), end);
  return reversed;
}
