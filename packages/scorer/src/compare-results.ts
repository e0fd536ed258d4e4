import { newWork } from './align.ts';
import { equalLeaves, type Leaf } from './leaf.ts';
import { matchTrees, type Matching } from './match.ts';
import { shapeOfSchema, shapeOfValue, type Shape } from './shape.ts';
import { noCounts, sumTotals, type Counts, type FieldTotals, type Totals } from './totals.ts';
import { prepareCandidate, prepareTruth, type PlacedLeaf, type Shapes } from './tree.ts';

export type DifferenceKind = 'broken' | 'fixed' | 'changed' | 'spurious' | 'unknown' | 'removed';

/** One leaf that a change makes different. What is absent on a side is null there, and named in `absent`. */
export interface Difference {
  /** `line_items.0.amount`: where the leaf is in the truth, or in the result that has it too many. */
  path: string;
  field: string;
  kind: DifferenceKind;
  truth: Leaf;
  before: Leaf;
  after: Leaf;
  absent: ('truth' | 'before' | 'after')[];
  /** Where the value after the change is in its result, when that is another path: rows can have moved. */
  after_path?: string;
}

export interface Comparison {
  totals: Totals;
  /** In the order of the truth. */
  fields: FieldTotals[];
  /** Broken first; within a kind in the order of the truth. */
  differences: Difference[];
}

/** Schemas are draft 7 JSON schemas. Without one the result itself tells which fields there are. */
export interface ComparisonInput {
  truth: unknown;
  before: unknown;
  after: unknown;
  truthSchema?: unknown;
  candidateSchema?: unknown;
}

/**
 * Measures what a change does to one document: its result before and after, each held against the verified one.
 *
 * @example
 * ```ts
 * import { compareResults } from '@docwright/scorer';
 *
 * const { totals, differences } = compareResults({
 *   truth: { total: 84, lines: [{ text: 'Chain' }, { text: 'Oil' }] },
 *   before: { total: 48, lines: [{ text: 'Chain' }, { text: 'Oil' }] },
 *   after: { total: 84, lines: [{ text: 'Oil' }] },
 * });
 * totals.fixed; // 1: the total
 * totals.broken; // 1: the first line is missing
 * differences.map(({ kind, path }) => `${kind} ${path}`); // ['broken lines.0.text', 'fixed total']
 * ```
 */
export function compareResults(input: ComparisonInput): Comparison {
  const comparing = compareStepwise(input);
  let step = comparing.next();
  while (!step.done) step = comparing.next();
  return step.value;
}

/** The same in steps of a few milliseconds, for callers that have others to serve in between. */
export function* compareStepwise(input: ComparisonInput): Generator<void, Comparison> {
  const shapes = shapesOf(input);
  const truth = prepareTruth(input.truth, shapes);
  yield;
  const candidate = prepareCandidate(input.after, shapes);
  const before = yield* matchTrees(truth.tree, prepareCandidate(input.before, shapes).tree, newWork());
  yield;
  const after = yield* matchTrees(truth.tree, candidate.tree, newWork());
  return count(before, after, { removed: truth.uncounted, unknown: candidate.uncounted, before: input.before });
}

/**
 * Holds one result against the verified one.
 *
 * @returns counts of leaves, for all fields and for each
 * @example
 * ```ts
 * import { scoreResult } from '@docwright/scorer';
 *
 * scoreResult({ truth: { total: 84, currency: 'EUR' }, result: { total: 84, currency: null } }).accuracy; // 0.5
 * ```
 */
export function scoreResult({ truth, result, schema }: { truth: unknown; result: unknown; schema?: unknown }): Score {
  const { totals, fields } = compareResults({
    truth,
    before: result,
    after: result,
    truthSchema: schema,
    candidateSchema: schema,
  });
  return { ...scoreOf(totals), fields: fields.map((field) => ({ field: field.field, ...scoreOf(field) })) };
}

export interface FieldScore {
  values: number;
  correct: number;
  spurious: number;
  accuracy: number | null;
}
export interface Score extends FieldScore {
  fields: (FieldScore & { field: string })[];
}

const scoreOf = (totals: Totals): FieldScore => ({
  values: totals.values,
  correct: totals.correct_after,
  spurious: totals.spurious_after,
  accuracy: totals.accuracy_after,
});

function shapesOf({ truth, truthSchema, candidateSchema }: ComparisonInput): Shapes {
  const truthShape: Shape = truthSchema === undefined ? shapeOfValue(truth) : shapeOfSchema(truthSchema);
  return {
    truth: truthShape,
    // Without a schema a candidate can have any field.
    candidate: shapeOfSchema(candidateSchema),
  };
}

interface Uncounted {
  removed: PlacedLeaf[];
  unknown: PlacedLeaf[];
  before: unknown;
}

function count(before: Matching, after: Matching, { removed, unknown, before: resultBefore }: Uncounted): Comparison {
  const fields = new Map<string, Counts>();
  const of = (field: string): Counts => {
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
    // Both list the leaves of the same truth in the same order.
    const is = after.leaves[index]!;
    const counts = of(was.field);
    counts.values += 1;
    if (was.isCorrect) counts.correct_before += 1;
    if (is.isCorrect) counts.correct_after += 1;
    const kind = kindOf(was, is);
    if (!kind) continue;
    counts[kind] += 1;
    differences[kind].push(difference(kind, was, { truth: was, before: was.found, after: is.found }));
  }

  const was = new Map(before.spurious.map((leaf) => [leaf.path, leaf]));
  for (const leaf of before.spurious) of(leaf.field).spurious_before += 1;
  for (const leaf of after.spurious) {
    of(leaf.field).spurious_after += 1;
    const same = was.get(leaf.path);
    was.delete(leaf.path);
    if (same && equalLeaves(same.value, leaf.value)) continue;
    differences.spurious.push(difference('spurious', leaf, { before: same, after: leaf }));
  }
  for (const leaf of was.values()) differences.spurious.push(difference('spurious', leaf, { before: leaf }));

  for (const leaf of unknown) {
    of(leaf.field).unknown += 1;
    differences.unknown.push(difference('unknown', leaf, { after: leaf }));
  }
  for (const leaf of removed) {
    of(leaf.field).removed += 1;
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

type Matched = Matching['leaves'][number];

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

/** Where a place of the truth is in a result whose rows have moved. */
function pathIn({ rows }: Matching, path: string): string {
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
