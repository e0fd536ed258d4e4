import { newWorkBudget } from './align.ts';
import { equalLeaves, type Leaf } from './leaf.ts';
import { matchTrees, type CandidateMatch } from './match.ts';
import { shapeOfSchema, shapeOfValue } from './shape.ts';
import { noCounts, sumTotals, type Counts, type FieldTotals, type Totals } from './totals.ts';
import { prepareCandidate, prepareTruth, type PlacedLeaf, type Shapes } from './tree.ts';

/**
 * `fixed`: wrong before, correct after. `broken`: correct before, wrong after. `changed`: wrong before and after, with
 * different values. `spurious`: a value that the truth does not have. `unknown`: the truth's schema lacks the field.
 * `removed`: the candidate's schema lacks the field.
 */
export type DifferenceKind = 'broken' | 'fixed' | 'changed' | 'spurious' | 'unknown' | 'removed';

/** One leaf that differs before and after a change. An absent value is null, and its side is listed in `absent`. */
export interface Difference {
  /** The place in the truth, or in the result for a leaf that the truth does not have: `line_items.0.amount`. */
  path: string;
  /** The place without indexes: `line_items[].amount`. */
  field: string;
  kind: DifferenceKind;
  truth: Leaf;
  before: Leaf;
  after: Leaf;
  absent: ('truth' | 'before' | 'after')[];
  /** The path of the value after the change, if it differs because rows have moved. */
  after_path?: string;
}

/** The effect of a change on one document. */
export interface Comparison {
  totals: Totals;
  /** In the order of the truth. */
  fields: FieldTotals[];
  /** By kind, `broken` first, and within a kind in the order of the truth. */
  differences: Difference[];
}

/** Results are JSON values, schemas are JSON schemas of draft 7. */
export interface ComparisonInput {
  /** The verified result. */
  truth: unknown;
  /** The result before the change. */
  before: unknown;
  /** The result after the change. */
  after: unknown;
  /** Default: the truth has the fields of its values. */
  truthSchema?: unknown;
  /** The schema of the change. Default: any field is possible. */
  candidateSchema?: unknown;
  /** Paths of leaves of the truth that are not counted, such as those that nobody looked at. Default: all are. */
  ignored?: ReadonlySet<string>;
}

/** Time between two yields. A longer one would delay other work noticeably. */
const sliceMs = 8;

/**
 * Measures the effect of a change on one document: compares the results before and after with the verified result.
 * Yields to the event loop every few milliseconds, also for large lists.
 *
 * @param yieldToOthers resolves when the comparison can continue; by default in the next round of the event loop
 * @example
 * ```ts
 * import { compareResults } from '@docwright/scorer';
 *
 * const { totals, differences } = await compareResults({
 *   truth: { total: 84, lines: [{ text: 'Chain' }, { text: 'Oil' }] },
 *   before: { total: 48, lines: [{ text: 'Chain' }, { text: 'Oil' }] },
 *   after: { total: 84, lines: [{ text: 'Oil' }] },
 * });
 * totals.fixed; // 1: the total
 * totals.broken; // 1: the first line is missing
 * differences.map(({ kind, path }) => `${kind} ${path}`); // ['broken lines.0.text', 'fixed total']
 * ```
 */
export async function compareResults(
  input: ComparisonInput,
  yieldToOthers: () => Promise<void> = nextRound,
): Promise<Comparison> {
  const comparing = compareStepwise(input);
  let sliceStarted = performance.now();
  for (;;) {
    const step = comparing.next();
    if (step.done) return step.value;
    if (performance.now() - sliceStarted < sliceMs) continue;
    await yieldToOthers();
    sliceStarted = performance.now();
  }
}

const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/** The comparison of `compareResults`, in steps of a few milliseconds. */
export function* compareStepwise(input: ComparisonInput): Generator<void, Comparison> {
  const shapes = shapesOf(input);
  const truth = prepareTruth(input.truth, shapes);
  yield;
  const candidate = prepareCandidate(input.after, shapes);
  const before = yield* matchTrees(truth.tree, prepareCandidate(input.before, shapes).tree, newWorkBudget());
  yield;
  const after = yield* matchTrees(truth.tree, candidate.tree, newWorkBudget());
  const uncounted = { removed: truth.uncounted, unknown: candidate.uncounted, before: input.before };
  return count(before, after, { ...uncounted, ignored: input.ignored ?? new Set() });
}

function shapesOf({ truth, truthSchema, candidateSchema }: ComparisonInput): Shapes {
  return {
    truth: truthSchema === undefined ? shapeOfValue(truth) : shapeOfSchema(truthSchema),
    candidate: shapeOfSchema(candidateSchema),
  };
}

interface Uncounted {
  removed: PlacedLeaf[];
  unknown: PlacedLeaf[];
  before: unknown;
  ignored: ReadonlySet<string>;
}

function count(
  before: CandidateMatch,
  after: CandidateMatch,
  { removed, unknown, before: resultBefore, ignored }: Uncounted,
): Comparison {
  const fields = new Map<string, Counts>();
  const countsOf = (field: string): Counts => {
    const counts = fields.get(field) ?? noCounts();
    fields.set(field, counts);
    return counts;
  };
  const differences: Record<DifferenceKind, Difference[]> = {
    broken: [],
    fixed: [],
    changed: [],
    spurious: [],
    unknown: [],
    removed: [],
  };

  for (const [index, was] of before.leaves.entries()) {
    // Both lists have the leaves of the same truth in the same order.
    const is = after.leaves[index]!;
    const counts = countsOf(was.field);
    if (ignored.has(was.path)) continue;
    counts.values += 1;
    if (was.isCorrect) counts.correct_before += 1;
    if (is.isCorrect) counts.correct_after += 1;
    const kind = kindOf(was, is);
    if (!kind) continue;
    counts[kind] += 1;
    differences[kind].push(difference(kind, was, { truth: was, before: was.found, after: is.found }));
  }

  const onlyBefore = new Map(before.spurious.map((leaf) => [leaf.path, leaf]));
  for (const leaf of before.spurious) countsOf(leaf.field).spurious_before += 1;
  for (const leaf of after.spurious) {
    countsOf(leaf.field).spurious_after += 1;
    const earlier = onlyBefore.get(leaf.path);
    onlyBefore.delete(leaf.path);
    if (earlier && equalLeaves(earlier.value, leaf.value)) continue;
    differences.spurious.push(difference('spurious', leaf, { before: earlier, after: leaf }));
  }
  for (const leaf of onlyBefore.values()) differences.spurious.push(difference('spurious', leaf, { before: leaf }));

  for (const leaf of unknown) {
    countsOf(leaf.field).unknown += 1;
    differences.unknown.push(difference('unknown', leaf, { after: leaf }));
  }
  for (const leaf of removed) {
    countsOf(leaf.field).removed += 1;
    const value = leafAt(resultBefore, pathIn(before, leaf.path));
    differences.removed.push(
      difference('removed', leaf, { truth: leaf, ...(value !== undefined && { before: { ...leaf, value } }) }),
    );
  }

  return {
    totals: sumTotals(fields.values()),
    fields: [...fields].map(([field, counts]) => ({ field, ...sumTotals([counts]) })),
    differences: Object.values(differences).flat(),
  };
}

type Matched = CandidateMatch['leaves'][number];

function kindOf(was: Matched, is: Matched): 'fixed' | 'broken' | 'changed' | undefined {
  if (was.isCorrect && is.isCorrect) return undefined;
  if (was.isCorrect) return 'broken';
  if (is.isCorrect) return 'fixed';
  return equalLeaves(was.found?.value, is.found?.value) ? undefined : 'changed';
}

type Sides = Partial<Record<'truth' | 'before' | 'after', PlacedLeaf | undefined>>;

const difference = (kind: DifferenceKind, { path, field }: PlacedLeaf, sides: Sides): Difference => ({
  path,
  field,
  kind,
  truth: sides.truth?.value ?? null,
  before: sides.before?.value ?? null,
  after: sides.after?.value ?? null,
  absent: (['truth', 'before', 'after'] as const).filter((side) => !sides[side]),
  ...(sides.after && sides.after.path !== path && { after_path: sides.after.path }),
});

/** The path in a result, whose rows can have moved, for a path in the truth. */
function pathIn({ rows }: CandidateMatch, path: string): string {
  let moved = '';
  let original = '';
  for (const name of path.split('.')) {
    original = original === '' ? name : `${original}.${name}`;
    moved = rows.get(original) ?? (moved === '' ? name : `${moved}.${name}`);
  }
  return moved;
}

function leafAt(result: unknown, path: string): Leaf | undefined {
  let at = result;
  for (const name of path.split('.')) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  }
  return typeof at === 'object' && at !== null ? undefined : (at as Leaf | undefined);
}
