import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareResults, equalLeaves, type Leaf } from './index.ts';
import { compareAtOnce, scoreAtOnce } from './testing/compare-at-once.ts';

const leaf = fc.oneof(
  fc.constantFrom<Leaf>(null, '', ' x', 'x', 'y', 0, 1, 1 + 1e-12, true, false),
  fc.string({ maxLength: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const few = fc.constantFrom<Leaf>(null, 'x', 'y', 1, 2);
const row = fc.record({ a: few, b: few });
const rows = fc.array(row, { maxLength: 4 });
const nested = fc.array(fc.record({ a: few, inner: fc.array(fc.record({ b: few }), { maxLength: 3 }) }), {
  maxLength: 3,
});
const result = fc.record({ total: leaf, maybe: leaf, rows, tags: fc.array(few, { maxLength: 4 }), nested });

const leaves = (value: unknown): Leaf[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value as Leaf];
const filled = (value: unknown): number => leaves(value).filter((one) => !equalLeaves(one, null)).length;

/** The best of all alignments in order: the most correct leaves, and among those the fewest spurious ones. */
function bruteForce(truth: unknown, candidate: unknown): { correct: number; spurious: number } {
  if (Array.isArray(truth) && Array.isArray(candidate)) {
    const alignments = (i: number, j: number): { correct: number; spurious: number }[] => {
      if (i === truth.length) return [{ correct: 0, spurious: filled(candidate.slice(j)) }];
      if (j === candidate.length) return [{ correct: 0, spurious: 0 }];
      const pair = bruteForce(truth[i], candidate[j]);
      return [
        ...alignments(i + 1, j + 1).map((rest) => add(pair, rest)),
        ...alignments(i + 1, j),
        ...alignments(i, j + 1).map((rest) => add({ correct: 0, spurious: filled(candidate[j]) }, rest)),
      ];
    };
    return alignments(0, 0).toSorted((a, b) => b.correct - a.correct || a.spurious - b.spurious)[0]!;
  }
  if (typeof truth === 'object' && truth !== null) {
    const other = candidate as Record<string, unknown>;
    return Object.entries(truth)
      .map(([name, value]) => bruteForce(value, other[name]))
      .reduce(add, { correct: 0, spurious: 0 });
  }
  return { correct: equalLeaves(truth as Leaf, candidate as Leaf) ? 1 : 0, spurious: 0 };
}
const add = (a: { correct: number; spurious: number }, b: { correct: number; spurious: number }) => ({
  correct: a.correct + b.correct,
  spurious: a.spurious + b.spurious,
});

describe('the scorer', () => {
  it('compares leaves symmetrically, and each leaf equals itself', () => {
    fc.assert(
      fc.property(leaf, leaf, (a, b) => {
        expect(equalLeaves(a, b)).toBe(equalLeaves(b, a));
        expect(equalLeaves(a, a)).toBe(true);
      }),
    );
  });

  it('gives an identical result an accuracy of 1', () => {
    fc.assert(
      fc.property(result, (one) => {
        const score = scoreAtOnce({ truth: one, result: structuredClone(one) });
        expect(score).toMatchObject({ accuracy: 1, correct: leaves(one).length, spurious: 0 });
      }),
    );
  });

  it('finds the best alignment: none has more correct leaves, or as many and fewer spurious ones', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(rows, rows), fc.tuple(nested, nested)), ([truth, candidate]) => {
        const { correct, spurious } = scoreAtOnce({ truth: { rows: truth }, result: { rows: candidate } });
        expect({ correct, spurious }).toEqual(bruteForce(truth, candidate));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the same number of correct leaves when truth and result are exchanged', () => {
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const there = scoreAtOnce({ truth: { rows: a }, result: { rows: b } });
        const back = scoreAtOnce({ truth: { rows: b }, result: { rows: a } });
        expect(there.correct).toBe(back.correct);
      }),
    );
  });

  it('gives a lower accuracy when a correct row is removed', () => {
    // A result has either missing or extra rows: a correct row between both kinds separates them, and without it they
    // would be paired (see the next test).
    const plan = (other: string) => fc.array(fc.constantFrom('correct', other), { minLength: 1, maxLength: 12 });
    const plans = fc.oneof(plan('missing'), plan('extra'));
    fc.assert(
      fc.property(plans, fc.nat(), (plan, chosen) => {
        const truth = plan.flatMap((kind, at) => (kind === 'extra' ? [] : [{ a: `a${at}`, b: at }]));
        const correct = plan.flatMap((kind, at) => (kind === 'correct' ? [at] : []));
        fc.pre(correct.length > 0);
        const removed = correct[chosen % correct.length];
        const candidate = (without?: number) =>
          plan.flatMap((kind, at) => {
            if (kind === 'missing' || at === without) return [];
            return [kind === 'correct' ? { a: `a${at}`, b: at } : { a: `extra ${at}`, b: -at - 1 }];
          });
        const whole = scoreAtOnce({ truth: { rows: truth }, result: { rows: candidate() } });
        const less = scoreAtOnce({ truth: { rows: truth }, result: { rows: candidate(removed) } });
        expect(less.accuracy!).toBeLessThan(whole.accuracy!);
      }),
    );
  });

  it('can give a higher accuracy without a correct row if rows around it are missing and extra', () => {
    // Correct leaves count first, so the correct row keeps its pair and the rows around it are missing and extra. Without
    // it they form pairs: wrong values that are not spurious.
    const row = (a: string) => ({ a });
    const rows = (...names: string[]) => ({ rows: names.map(row) });
    const correct = ['1', '2', '3', '4'];
    const truth = rows(...correct, 'm1', 'm2', 'm3', 'x');
    const whole = scoreAtOnce({ truth, result: rows(...correct, 'x', 'e1', 'e2', 'e3') });
    const less = scoreAtOnce({ truth, result: rows(...correct, 'e1', 'e2', 'e3') });
    expect(whole).toMatchObject({ correct: 5, spurious: 3 });
    expect(less).toMatchObject({ correct: 4, spurious: 0 });
    expect(less.accuracy!).toBeGreaterThan(whole.accuracy!);
  });

  it('has consistent counts: fixed minus broken is the gain, and the fields add up to the totals', () => {
    fc.assert(
      fc.property(result, result, result, (truth, before, after) => {
        const { totals, fields, differences } = compareAtOnce({ truth, before, after });
        expect(totals.fixed - totals.broken).toBe(totals.correct_after - totals.correct_before);
        expect(totals.values).toBe(leaves(truth).length);
        for (const name of ['values', 'correct_after', 'spurious_after', 'broken', 'fixed', 'changed'] as const) {
          expect(fields.reduce((sum, field) => sum + field[name], 0)).toBe(totals[name]);
        }
        for (const kind of ['broken', 'fixed', 'changed', 'unknown', 'removed'] as const) {
          expect(differences.filter((one) => one.kind === kind)).toHaveLength(totals[kind]);
        }
        expect(compareAtOnce({ truth, before: after, after: before }).totals.broken).toBe(totals.fixed);
      }),
    );
  });

  it('accepts any JSON as a result and as a schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (truth, before, after, schema) => {
        const { totals } = compareAtOnce({ truth, before, after, truthSchema: schema, candidateSchema: schema });
        expect(totals.correct_after).toBeLessThanOrEqual(totals.values);
      }),
    );
  });
});

describe('the time that a comparison takes', () => {
  const document = (seed: number, wrong: number) => ({
    number: `R-${seed}`,
    total: seed,
    lines: Array.from({ length: 14 }, (_, at) => ({
      position: at,
      text: `Article ${seed} ${at}`,
      unit: 'piece',
      quantity: at % wrong === 0 ? at + 1 : at,
      price: at * 1.25,
      amount: seed * at,
      tax: 19,
    })),
  });

  it('is at most one second of CPU for 200 documents of 100 leaves', { retry: 2 }, () => {
    const started = process.cpuUsage();
    for (let seed = 0; seed < 200; seed++) {
      const truth = document(seed, 99);
      const { totals } = compareAtOnce({ truth, before: document(seed, 3), after: document(seed, 5) });
      expect(totals).toMatchObject({ values: 100, correct_before: 96, correct_after: 98 });
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(1);
  });

  it('does not block the event loop, also for lists of a thousand rows', async () => {
    const many = (wrong: number) => ({
      lines: Array.from({ length: 1000 }, (_, at) => ({ a: at, b: at % wrong, c: 'x' })),
    });
    const waits: number[] = [];
    let last = performance.now();
    await compareResults({ truth: many(7), before: many(5), after: many(3) }, async () => {
      waits.push(performance.now() - last);
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    });
    expect(waits.length).toBeGreaterThan(10);
    // A slice is 8 ms of work. On a busy machine single slices take longer, so the median counts.
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]!).toBeLessThan(50);
  });
});
