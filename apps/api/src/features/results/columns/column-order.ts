import { endianness } from 'node:os';
import type { Cell } from '@docwright/contract';
import type { Steps } from '../../../platform/long-values/in-turns.ts';

type ReadCell = (row: number) => Cell;

/** So many rows are ordered or merged in a step: some milliseconds. */
export const rowsInStep = 5_000;

/** As `orderedBy`, in steps: a million rows at once would hold up other requests for seconds. */
export function* orderSteps(rows: Uint32Array, read: ReadCell): Steps<Uint32Array> {
  let runs: Uint32Array[] = [];
  for (let from = 0; from < rows.length; from += rowsInStep) {
    runs.push(orderedBy(rows.subarray(from, from + rowsInStep), read));
    yield;
  }
  while (runs.length > 1) {
    const longer: Uint32Array[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right] = [runs[at]!, runs[at + 1]];
      longer.push(right === undefined ? left : yield* mergeSteps(left, right, read));
    }
    runs = longer;
  }
  return runs[0] ?? new Uint32Array(0);
}

/** Of the same values, those of the left come first. */
function* mergeSteps(left: Uint32Array, right: Uint32Array, read: ReadCell): Steps<Uint32Array> {
  const merged = new Uint32Array(left.length + right.length);
  const cellAt = (rows: Uint32Array, at: number): Cell => (at < rows.length ? read(rows[at]!) : null);
  let [one, other] = [0, 0];
  let [ofLeft, ofRight] = [cellAt(left, 0), cellAt(right, 0)];
  for (let at = 0; at < merged.length; at += 1) {
    if (at % rowsInStep === rowsInStep - 1) yield;
    const takesLeft = other >= right.length || (one < left.length && compareCells(ofLeft, ofRight, 1) <= 0);
    if (takesLeft) {
      merged[at] = left[one]!;
      ofLeft = cellAt(left, ++one);
    } else {
      merged[at] = right[other]!;
      ofRight = cellAt(right, ++other);
    }
  }
  return merged;
}

const rankOf = (cell: Cell): number => (typeof cell === 'number' ? 0 : typeof cell === 'string' ? 1 : 2);

/** Numbers before texts before booleans; a missing value is last in both directions. */
export function compareCells(a: Cell, b: Cell, sign: number): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks * sign;
  return a < b ? -sign : sign;
}

/**
 * Rows in the order of their values: numbers before texts before booleans, those without a value last, ties as they were.
 * The engine's sort of typed arrays does the work: comparing 100,000 rows with each other takes several times as long.
 */
function orderedBy(rows: Uint32Array, read: ReadCell): Uint32Array {
  const texts: string[] = [];
  const numbers: number[] = [];
  const rowsOf: Record<'numbers' | 'texts' | 'no' | 'yes' | 'missing', number[]> = {
    numbers: [],
    texts: [],
    no: [],
    yes: [],
    missing: [],
  };
  for (const row of rows) {
    const cell = read(row);
    if (typeof cell === 'number') {
      numbers.push(cell);
      rowsOf.numbers.push(row);
    } else if (typeof cell === 'string') {
      texts.push(cell);
      rowsOf.texts.push(row);
    } else rowsOf[cell === null ? 'missing' : cell ? 'yes' : 'no'].push(row);
  }
  const ordered = new Uint32Array(rows.length);
  let at = 0;
  for (const place of orderOfNumbers(numbers)) ordered[at++] = rowsOf.numbers[place]!;
  for (const place of orderOfTexts(texts)) ordered[at++] = rowsOf.texts[place]!;
  for (const row of [...rowsOf.no, ...rowsOf.yes, ...rowsOf.missing]) ordered[at++] = row;
  return ordered;
}

/** An order in the other direction, in steps: rows without a value stay last, and ties stay as they were. */
export function* reversedSteps(rows: Uint32Array, read: ReadCell): Steps<Uint32Array> {
  const reversed = new Uint32Array(rows.length);
  let end = rows.length;
  const isStep = (done: number): boolean => done % rowsInStep === 0;
  for (; end > 0 && read(rows[end - 1]!) === null; end -= 1) if (isStep(end)) yield;
  let at = 0;
  for (let last = end; last > 0;) {
    let first = last - 1;
    const value = read(rows[first]!);
    if (isStep(first)) yield;
    for (; first > 0 && read(rows[first - 1]!) === value; first -= 1) if (isStep(first)) yield;
    for (let next = first; next < last; next += 1) reversed[at++] = rows[next]!;
    last = first;
  }
  reversed.set(rows.subarray(end), end);
  return reversed;
}

/** The places of numbers in their order: each is counted into the place of its value. */
function orderOfNumbers(numbers: readonly number[]): Uint32Array {
  const sorted = Float64Array.from(numbers).sort();
  let size = 0;
  for (const value of sorted) if (size === 0 || value !== sorted[size - 1]) sorted[size++] = value;
  const rankOf = (value: number) => {
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const ranks = Uint32Array.from(numbers, rankOf);
  const starts = new Uint32Array(size + 1);
  for (const rank of ranks) starts[rank + 1]! += 1;
  for (let rank = 1; rank <= size; rank += 1) starts[rank]! += starts[rank - 1]!;
  const order = new Uint32Array(ranks.length);
  for (const [place, rank] of ranks.entries()) order[starts[rank]!++] = place;
  return order;
}

/** The places of texts in their order, by code units as texts are compared elsewhere. */
function orderOfTexts(texts: readonly string[]): Uint32Array {
  const order = Uint32Array.from(texts.keys());
  sortRange(texts, order, 0, 0);
  return order;
}

/** So few are sorted by comparing them. */
const fewTexts = 24;
/** The half of a pair of words that is compared first. */
const [low, high] = endianness() === 'LE' ? [0, 1] : [1, 0];

/** Sorts places whose texts are the same up to `offset`: by the next few code units as one number, then within equal ones. */
function sortRange(texts: readonly string[], order: Uint32Array, offset: number, depth: number): void {
  if (order.length <= fewTexts || depth > 1_000) {
    if (order.length > fewTexts) order.set([...order].sort((a, b) => compareTexts(texts, a, b)));
    else insertionSort(texts, order);
    return;
  }
  const start = commonStart(texts, order, offset);
  let max = 0;
  for (const place of order) {
    const text = texts[place]!;
    for (let at = start; at < start + 4; at += 1) if (at < text.length) max = Math.max(max, text.charCodeAt(at));
  }
  // A text that ends is smaller than any that goes on: its missing units are 0, and others are one more than they are.
  const bits = max < 0xff ? 8 : 16;
  const units = 32 / bits;
  const limit = 2 ** bits - 1;
  const pairs = new BigUint64Array(order.length);
  const words = new Uint32Array(pairs.buffer);
  for (const [at, place] of order.entries()) {
    const text = texts[place]!;
    let key = 0;
    for (let unit = start; unit < start + units; unit += 1) {
      key = key * 2 ** bits + (unit < text.length ? Math.min(text.charCodeAt(unit) + 1, limit) : 0);
    }
    words[2 * at + high] = key;
    words[2 * at + low] = place;
  }
  pairs.sort();
  for (let from = 0; from < order.length;) {
    const key = words[2 * from + high]!;
    let to = from;
    for (; to < order.length && words[2 * to + high] === key; to += 1) order[to] = words[2 * to + low]!;
    const haveEnded = (key & limit) === 0;
    // The largest unit of 16 bits stands for two.
    const next = bits === 16 && max >= limit ? start : start + units;
    if (to - from > 1 && !haveEnded)
      sortRange(texts, order.subarray(from, to), next, next === start ? 2_000 : depth + 1);
    from = to;
  }
}

/** How far all texts are the same. */
function commonStart(texts: readonly string[], order: Uint32Array, offset: number): number {
  const first = texts[order[0]!]!;
  let end = first.length;
  for (const place of order) {
    const text = texts[place]!;
    let at = offset;
    while (at < end && text.charCodeAt(at) === first.charCodeAt(at)) at += 1;
    end = at;
    if (end === offset) return offset;
  }
  return end;
}

function insertionSort(texts: readonly string[], order: Uint32Array): void {
  for (let at = 1; at < order.length; at += 1) {
    const place = order[at]!;
    let before = at - 1;
    for (; before >= 0 && compareTexts(texts, order[before]!, place) > 0; before -= 1)
      order[before + 1] = order[before]!;
    order[before + 1] = place;
  }
}

function compareTexts(texts: readonly string[], a: number, b: number): number {
  const [one, other] = [texts[a]!, texts[b]!];
  return one === other ? a - b : one < other ? -1 : 1;
}
