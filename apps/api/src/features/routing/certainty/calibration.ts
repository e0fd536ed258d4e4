/** A decision that a user has settled: how well the route fitted by the product's own measure, and whether it was right. */
export interface SettledDecision {
  score: number;
  isRight: boolean;
}

/** The number of decisions of users from which a certainty is calculated. */
const minDecisions = 30;
/** Fewer decisions are no evidence about one range of scores. */
const minInRange = 10;

interface Range {
  from: number;
  right: number;
  count: number;
}

/**
 * How sure a decision with a score is: the share of right ones among what users settled at such scores, or at lower ones if
 * more of those were right. Undefined before there are 30. One right and one wrong decision are added to each range, so
 * that no range is certain.
 *
 * @example
 * calibrate(Array.from({ length: 30 }, () => ({ score: 0.8, isRight: true })))(0.9) // 0.97
 */
export function calibrate(decisions: readonly SettledDecision[]): (score: number) => number | undefined {
  if (decisions.length < minDecisions) return () => undefined;
  const ranges: Range[] = [];
  for (const range of rangesOf(decisions)) {
    ranges.push(range);
    // Pools neighbours until a higher score never means less certainty.
    for (let last = ranges.at(-1)!, before = ranges.at(-2); before && share(before) >= share(last);) {
      ranges.splice(-2, 2, { from: before.from, right: before.right + last.right, count: before.count + last.count });
      [last, before] = [ranges.at(-1)!, ranges.at(-2)];
    }
  }
  return (score) => Math.round(share(ranges.findLast(({ from }) => score >= from) ?? lowest(ranges[0]!)) * 1000) / 1000;
}

const share = ({ right, count }: Pick<Range, 'right' | 'count'>) => (right + 1) / (count + 2);

/** Below all known scores nothing is known: half of what was seen at the lowest ones. */
const lowest = ({ right, count }: Range) => ({ right: right / 2, count });

/** Ranges of at least ten decisions, by rising scores. Equal scores stay together. */
function rangesOf(decisions: readonly SettledDecision[]): Range[] {
  const ranges: Range[] = [];
  let open: Range | undefined;
  let previous: number | undefined;
  for (const { score, isRight } of decisions.toSorted((a, b) => a.score - b.score)) {
    if (!open || (open.count >= minInRange && score !== previous)) {
      open = { from: score, right: 0, count: 0 };
      ranges.push(open);
    }
    open.count += 1;
    if (isRight) open.right += 1;
    previous = score;
  }
  const last = ranges.at(-1)!;
  const before = ranges.at(-2);
  if (!before || last.count >= minInRange) return ranges;
  return [...ranges.slice(0, -2), { ...before, right: before.right + last.right, count: before.count + last.count }];
}

/** The lead over the next best, from 0 (behind by everything) to 1; without others, the fit itself. */
export function marginScore(own: number, others: readonly number[]): number {
  return others.length === 0 ? own : (1 + own - Math.max(...others)) / 2;
}

/** The mean of what was measured, to the thousandth. */
export function scoreOf(measures: readonly number[]): number {
  return Math.round((measures.reduce((sum, value) => sum + value, 0) / measures.length) * 1000) / 1000;
}
