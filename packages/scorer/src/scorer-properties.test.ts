import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareResults, compareResultsYielding, equalLeaves, scoreResult, type Leaf } from './index.ts';

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

/** Every alignment in order, tried out: the most correct leaves, and among those the fewest spurious. */
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
  it('compares leaves symmetrically, and finds each equal to itself', () => {
    fc.assert(
      fc.property(leaf, leaf, (a, b) => {
        expect(equalLeaves(a, b)).toBe(equalLeaves(b, a));
        expect(equalLeaves(a, a)).toBe(true);
      }),
    );
  });

  it('gives an identical result 1', () => {
    fc.assert(
      fc.property(result, (one) => {
        const score = scoreResult({ truth: one, result: structuredClone(one) });
        expect(score).toMatchObject({ accuracy: 1, correct: leaves(one).length, spurious: 0 });
      }),
    );
  });

  it('aligns as well as can be: no alignment in order has more correct leaves, or as many and fewer spurious ones', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(rows, rows), fc.tuple(nested, nested)), ([truth, candidate]) => {
        const { correct, spurious } = scoreResult({ truth: { rows: truth }, result: { rows: candidate } });
        expect({ correct, spurious }).toEqual(bruteForce(truth, candidate));
      }),
      { numRuns: 300 },
    );
  });

  it('finds as many equal leaves in whichever order two results of one form are held against each other', () => {
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const there = scoreResult({ truth: { rows: a }, result: { rows: b } });
        const back = scoreResult({ truth: { rows: b }, result: { rows: a } });
        expect(there.correct).toBe(back.correct);
      }),
    );
  });

  it('never gives more for a result from which a right row is taken', () => {
    // Rows that are right stand in the order of the truth; others have values that are nowhere in it. Missing and extra
    // rows do not meet here: a right row between them keeps them apart, and without it they count as pairs.
    const plan = (other: string) => fc.array(fc.constantFrom('right', other), { minLength: 1, maxLength: 12 });
    const kept = fc.oneof(plan('missing'), plan('extra'));
    fc.assert(
      fc.property(kept, fc.nat(), (plan, chosen) => {
        const truth = plan.flatMap((kind, at) => (kind === 'extra' ? [] : [{ a: `a${at}`, b: at }]));
        const right = plan.flatMap((kind, at) => (kind === 'right' ? [at] : []));
        fc.pre(right.length > 0);
        const removed = right[chosen % right.length];
        const candidate = (without?: number) =>
          plan.flatMap((kind, at) => {
            if (kind === 'missing' || at === without) return [];
            return [kind === 'right' ? { a: `a${at}`, b: at } : { a: `extra ${at}`, b: -at - 1 }];
          });
        const whole = scoreResult({ truth: { rows: truth }, result: { rows: candidate() } });
        const less = scoreResult({ truth: { rows: truth }, result: { rows: candidate(removed) } });
        expect(less.accuracy!).toBeLessThan(whole.accuracy!);
      }),
    );
  });

  it('can give more for a result without a right row where rows are both missing and too many around it', () => {
    // The most equal leaves come first, so that the right row keeps its pair and the rows around it are missing and spurious. Without
    // it they are held for each other: wrong values that are not spurious. The order of the two rules leaves no other choice.
    const row = (a: string) => ({ a });
    const rows = (...names: string[]) => ({ rows: names.map(row) });
    const right = ['1', '2', '3', '4'];
    const truth = rows(...right, 'm1', 'm2', 'm3', 'right');
    const whole = scoreResult({ truth, result: rows(...right, 'right', 'e1', 'e2', 'e3') });
    const less = scoreResult({ truth, result: rows(...right, 'e1', 'e2', 'e3') });
    expect(whole).toMatchObject({ correct: 5, spurious: 3 });
    expect(less).toMatchObject({ correct: 4, spurious: 0 });
    expect(less.accuracy!).toBeGreaterThan(whole.accuracy!);
  });

  it('adds up: fixed less broken is what is gained, and the fields make the totals', () => {
    fc.assert(
      fc.property(result, result, result, (truth, before, after) => {
        const { totals, fields, differences } = compareResults({ truth, before, after });
        expect(totals.fixed - totals.broken).toBe(totals.correct_after - totals.correct_before);
        expect(totals.values).toBe(leaves(truth).length);
        for (const name of ['values', 'correct_after', 'spurious_after', 'broken', 'fixed', 'changed'] as const) {
          expect(fields.reduce((sum, field) => sum + field[name], 0)).toBe(totals[name]);
        }
        for (const kind of ['broken', 'fixed', 'changed', 'unknown', 'removed'] as const) {
          expect(differences.filter((one) => one.kind === kind)).toHaveLength(totals[kind]);
        }
        expect(compareResults({ truth, before: after, after: before }).totals.broken).toBe(totals.fixed);
      }),
    );
  });

  it('survives whatever a model answers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (truth, before, after, schema) => {
        const { totals } = compareResults({ truth, before, after, truthSchema: schema, candidateSchema: schema });
        expect(totals.correct_after).toBeLessThanOrEqual(totals.values);
      }),
    );
  });
});

describe('200 documents of 100 leaves', () => {
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

  it('are scored within a second of CPU', () => {
    const started = process.cpuUsage();
    for (let seed = 0; seed < 200; seed++) {
      const truth = document(seed, 99);
      const { totals } = compareResults({ truth, before: document(seed, 3), after: document(seed, 5) });
      expect(totals).toMatchObject({ values: 100, correct_before: 96, correct_after: 98 });
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(1);
  });

  it('never hold the event loop for long, nor does a list of a thousand rows', async () => {
    const many = (wrong: number) => ({
      lines: Array.from({ length: 1000 }, (_, at) => ({ a: at, b: at % wrong, c: 'x' })),
    });
    const waits: number[] = [];
    let last = performance.now();
    await compareResultsYielding({ truth: many(7), before: many(5), after: many(3) }, async () => {
      waits.push(performance.now() - last);
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    });
    expect(waits.length).toBeGreaterThan(10);
    // A slice is 8 ms of work; half the slices must be near it even where the machine takes the CPU away now and then.
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]!).toBeLessThan(50);
  });
});
