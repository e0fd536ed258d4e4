import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many rows take a few milliseconds. A question can be about 100,000 documents, and others wait meanwhile. */
const rowsPerStep = 1_000;

/** Calls `work` for each row, in steps between which other work of the process continues. */
export async function eachInSteps<Row>(rows: Iterable<Row>, work: (row: Row) => void): Promise<void> {
  let done = 0;
  for (const row of rows) {
    work(row);
    if ((done += 1) % rowsPerStep === 0) await nextTurn();
  }
}

/** The rows for which `holds` is true. */
export async function filteredInSteps<Row>(rows: Iterable<Row>, holds: (row: Row) => boolean): Promise<Row[]> {
  const kept: Row[] = [];
  await eachInSteps(rows, (row) => void (holds(row) && kept.push(row)));
  return kept;
}

/**
 * Sorts as `toSorted` does, in steps between which other work of the process continues: what is equal keeps its order.
 *
 * @example
 * import { sortedInSteps } from '@docwright/agent-core';
 *
 * await sortedInSteps([2, 1], (one, other) => one - other); // [1, 2]
 */
export async function sortedInSteps<Row>(
  rows: readonly Row[],
  order: (one: Row, other: Row) => number,
): Promise<readonly Row[]> {
  let runs: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += rowsPerStep) {
    runs.push(rows.slice(at, at + rowsPerStep).sort(order));
    await nextTurn();
  }
  while (runs.length > 1) {
    const joined: (readonly Row[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one, other] = [runs[at]!, runs[at + 1]];
      joined.push(other === undefined ? one : await merged(one, other, order));
    }
    runs = joined;
  }
  return runs[0] ?? [];
}

async function merged<Row>(
  one: readonly Row[],
  other: readonly Row[],
  order: (one: Row, other: Row) => number,
): Promise<Row[]> {
  const all: Row[] = [];
  let [at, from] = [0, 0];
  while (at < one.length && from < other.length) {
    all.push(order(one[at]!, other[from]!) <= 0 ? one[at++]! : other[from++]!);
    if (all.length % rowsPerStep === 0) await nextTurn();
  }
  for (; at < one.length; at += 1) all.push(one[at]!);
  for (; from < other.length; from += 1) all.push(other[from]!);
  return all;
}
