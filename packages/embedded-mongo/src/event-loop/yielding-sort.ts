import type { Yielder } from './yielder.ts';

const runLength = 2048;

/** A stable merge sort that yields to the event loop between runs. */
export async function sortYielding<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  yielder: Yielder,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare));
    if (yielder.isDue) await yielder.yield();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at]!, runs[at + 1] ?? [], compare, yielder));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number, yielder: Yielder): Promise<T[]> {
  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const takeLeft = r >= right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    merged.push(takeLeft ? left[l++]! : right[r++]!);
    if (merged.length % runLength === 0 && yielder.isDue) await yielder.yield();
  }
  return merged;
}
