/** What two lists do not have in common at one place: where the part of each begins, and where it ends. */
export interface Gap {
  one: [from: number, to: number];
  other: [from: number, to: number];
}

interface CommonOrder {
  /** The length of the longest common subsequence. */
  length: number;
  /** The places that differ. Undefined for lists that differ so much that no place says anything. */
  gaps: Gap[] | undefined;
}

/** Lists with more differences are compared in parts, because the time grows with the number of differences. */
const maxDifferences = 4_000;

/** The longest common order of two lists, by the algorithm of Myers: the fewest removals and insertions from one to the other. */
export function commonOrder(one: readonly string[], other: readonly string[]): CommonOrder {
  const limit = Math.min(one.length + other.length, maxDifferences);
  const reached = new Int32Array(2 * limit + 3);
  const traces: Int32Array[] = [];
  for (let differences = 0; differences <= limit; differences += 1) {
    traces.push(reached.slice(limit + 1 - differences, limit + 2 + differences));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const at = limit + 1 + diagonal;
      const isDown = diagonal === -differences || (diagonal !== differences && reached[at - 1]! < reached[at + 1]!);
      let x = isDown ? reached[at + 1]! : reached[at - 1]! + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x += 1;
      reached[at] = x;
      if (x < one.length || x - diagonal < other.length) continue;
      return { length: (one.length + other.length - differences) / 2, gaps: gapsOf(traces, one.length, other.length) };
    }
  }
  return { length: commonInParts(one, other), gaps: undefined };
}

/** Follows the way back from the ends of both lists. A trace has the state before its number of differences. */
function gapsOf(traces: readonly Int32Array[], oneLength: number, otherLength: number): Gap[] {
  const gaps: Gap[] = [];
  let [x, y] = [oneLength, otherLength];
  for (let differences = traces.length - 1; differences > 0; differences -= 1) {
    const trace = traces[differences]!;
    const stateOf = (diagonal: number): number => trace[diagonal + differences] ?? -1;
    const diagonal = x - y;
    const isDown =
      diagonal === -differences || (diagonal !== differences && stateOf(diagonal - 1) < stateOf(diagonal + 1));
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const [startX, startY] = [stateOf(from), stateOf(from) - from];
    const [endX, endY] = isDown ? [startX, startY + 1] : [startX + 1, startY];
    const after = gaps.at(-1);
    if (after && after.one[0] === endX && after.other[0] === endY) [after.one[0], after.other[0]] = [startX, startY];
    else gaps.push({ one: [startX, endX], other: [startY, endY] });
    [x, y] = [startX, startY];
  }
  return gaps.reverse();
}

const maxCompared = 4_000;

function commonInParts(one: readonly string[], other: readonly string[]): number {
  let sum = 0;
  for (let at = 0; at < Math.max(one.length, other.length); at += maxCompared) {
    sum += commonLength(one.slice(at, at + maxCompared), other.slice(at, at + maxCompared));
  }
  return sum;
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let before = new Uint32Array(other.length + 1);
  let here = new Uint32Array(other.length + 1);
  for (const word of one) {
    for (let at = 0; at < other.length; at += 1) {
      here[at + 1] = word === other[at] ? before[at]! + 1 : Math.max(before[at + 1]!, here[at]!);
    }
    [before, here] = [here, before];
  }
  return before[other.length]!;
}
