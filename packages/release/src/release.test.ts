import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  boundCurve,
  chooseThreshold,
  clopperPearsonUpper,
  clusterUpper,
  documentsNeeded,
  isDrawn,
  isWithinLimits,
  judgeDrift,
  type AuditedDocument,
} from './index.ts';

/** An independent implementation. It has no types. */
const { jStat } = createRequire(import.meta.url)('jstat') as {
  jStat: { beta: { inv(p: number, a: number, b: number): number } };
};

/** Repeatable numbers from 0 to below 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const claim = { maxWrong: 0.005, confidence: 0.95, unit: 'document' } as const;
const clean = (risk: number, count: number): AuditedDocument[] =>
  Array.from({ length: count }, () => ({ risk, values: 10, wrongValues: 0 }));
const wrong = (risk: number, count = 1, wrongValues = 1): AuditedDocument[] =>
  Array.from({ length: count }, () => ({ risk, values: 10, wrongValues }));

describe('the Clopper–Pearson bound', () => {
  it('is the quantile of the beta distribution of another library', () => {
    for (const audited of [1, 2, 10, 59, 598, 1240, 5000])
      for (const errors of [0, 1, 2, 7, 30].filter((count) => count < audited))
        for (const confidence of [0.5, 0.9, 0.95, 0.99]) {
          const expected = jStat.beta.inv(confidence, errors + 1, audited - errors);
          expect(clopperPearsonUpper({ wrong: errors, audited, confidence })).toBeCloseTo(expected, 8);
        }
  });

  it('is 1 without a right document, and refuses impossible samples', () => {
    expect(clopperPearsonUpper({ wrong: 0, audited: 0, confidence: 0.95 })).toBe(1);
    expect(clopperPearsonUpper({ wrong: 3, audited: 3, confidence: 0.95 })).toBe(1);
    expect(() => clopperPearsonUpper({ wrong: 2, audited: 1, confidence: 0.95 })).toThrow(RangeError);
    expect(() => clopperPearsonUpper({ wrong: 0, audited: 1, confidence: 1 })).toThrow(RangeError);
  });

  it('holds for the number of documents that it needs, and for no smaller one', () => {
    expect(documentsNeeded({ wrong: 0, maxWrong: 0.005, confidence: 0.95 })).toBe(598);
    for (const errors of [0, 1, 5, 20]) {
      const needed = documentsNeeded({ wrong: errors, maxWrong: 0.01, confidence: 0.9 });
      expect(clopperPearsonUpper({ wrong: errors, audited: needed, confidence: 0.9 })).toBeLessThanOrEqual(0.01);
      expect(clopperPearsonUpper({ wrong: errors, audited: needed - 1, confidence: 0.9 })).toBeGreaterThan(0.01);
    }
  });

  it('does not underflow for many documents', () => {
    const bound = clopperPearsonUpper({ wrong: 400, audited: 1_000_000, confidence: 0.95 });
    expect(bound).toBeGreaterThan(0.0004);
    expect(bound).toBeLessThan(0.00044);
  });
});

describe('the threshold', () => {
  it('needs 598 documents without an error, and one less after each', () => {
    expect(chooseThreshold([], claim)).toMatchObject({ threshold: null, bound: 1, needed: 598 });
    expect(chooseThreshold(clean(0.01, 1), claim)).toMatchObject({ threshold: null, needed: 597 });
    expect(chooseThreshold(clean(0.01, 597), claim)).toMatchObject({ threshold: null, needed: 1 });
    expect(chooseThreshold(clean(0.01, 598), claim)).toMatchObject({ threshold: 1, needed: 0 });
  });

  it('is the largest one at which the bound holds, as a search over all thresholds finds it', () => {
    const random = randomFrom(7);
    for (let round = 0; round < 20; round++) {
      const audited = Array.from({ length: 900 }, (): AuditedDocument => {
        const risk = Math.round(random() * 200) / 1000;
        return { risk, values: 10, wrongValues: random() < risk / 8 ? 1 : 0 };
      });
      const held = [...new Set(audited.map(({ risk }) => risk))].filter((threshold) => {
        const below = audited.filter(({ risk }) => risk <= threshold);
        const errors = below.filter(({ wrongValues }) => wrongValues > 0).length;
        return jStat.beta.inv(0.95, errors + 1, below.length - errors) <= 0.02;
      });
      const found = chooseThreshold(audited, { ...claim, maxWrong: 0.02 });
      const largest = held.length === 0 ? null : Math.max(...held);
      const highest = Math.max(...audited.map(({ risk }) => risk));
      expect(found.threshold).toBe(largest === highest ? 1 : largest);
    }
  });

  it('releases documents with the same risk together', () => {
    const audited = [...clean(0.1, 598), ...wrong(0.1)];
    expect(chooseThreshold(audited, claim)).toMatchObject({ threshold: null, needed: 947 - 599 });
  });

  it('stays below risky documents that were wrong', () => {
    const audited = [...clean(0.01, 700), ...wrong(0.4, 30)];
    const found = chooseThreshold(audited, claim);
    expect(found.threshold).toBe(0.01);
    expect(found.bound).toBeLessThanOrEqual(0.005);
    expect(boundCurve(audited, claim).at(-1)).toMatchObject({ threshold: 1, share: 1 });
  });
});

describe('the bound over documents as clusters', () => {
  it('is at most max_wrong for few wrong values, and counts a document with many as one', () => {
    const values = { ...claim, unit: 'value' } as const;
    expect(chooseThreshold([...clean(0.01, 900), ...wrong(0.01, 4)], values).threshold).toBe(1);
    expect(chooseThreshold([...clean(0.01, 900), ...wrong(0.01, 4, 10)], values).threshold).toBe(null);
    const { needed } = chooseThreshold(clean(0.01, 100), values);
    expect(chooseThreshold(clean(0.01, 100 + needed), values).threshold).toBe(1);
    expect(chooseThreshold(clean(0.01, 99 + needed), values).threshold).toBe(null);
  });

  it('covers the true mean at its confidence', () => {
    const random = randomFrom(3);
    let missed = 0;
    for (let round = 0; round < 400; round++) {
      const shares = Array.from({ length: 200 }, () => (random() < 0.1 ? random() : 0));
      if (clusterUpper(shares, 0.9) < 0.05) missed += 1;
    }
    expect(missed / 400).toBeLessThanOrEqual(0.1);
  });
});

describe('drift', () => {
  const risks = (count: number, level: number, random: () => number) =>
    Array.from({ length: count }, () => level * -Math.log(1 - random()));

  it('is found when the risk triples, and seldom where nothing changes', () => {
    const random = randomFrom(11);
    let [found, false_] = [0, 0];
    for (let round = 0; round < 40; round++) {
      const before = risks(300, 0.02, random);
      if (judgeDrift([...before, ...risks(50, 0.06, random)], undefined, random).hasDrifted) found += 1;
      if (judgeDrift([...before, ...risks(50, 0.02, random)], undefined, random).hasDrifted) false_ += 1;
    }
    expect(found).toBeGreaterThanOrEqual(39);
    expect(false_).toBeLessThanOrEqual(1);
  });

  it('is judged from 50 earlier documents on, and not on equal risks', () => {
    expect(judgeDrift([...Array(49).fill(0.01), ...Array(50).fill(0.9)])).toEqual({ hasDrifted: false });
    expect(judgeDrift(Array(500).fill(0.1)).hasDrifted).toBe(false);
  });

  it('keeps its limits until there are half as many more documents', () => {
    const random = randomFrom(5);
    const many = risks(400, 0.02, random);
    const { limits } = judgeDrift(many, undefined, random);
    expect(judgeDrift([...many, 0.02], limits, random).limits).toBe(limits);
    expect(judgeDrift([...many, ...risks(210, 0.02, random)], limits, random).limits).not.toBe(limits);
  });

  it('needs the latest documents alone while known limits hold, and all of them otherwise', () => {
    const random = randomFrom(6);
    const many = risks(400, 0.02, random);
    const limits = judgeDrift(many, undefined, random).limits!;
    expect(isWithinLimits(many.slice(-50), 400, limits)).toBe(true);
    expect(isWithinLimits(many.slice(-50), 600, limits)).toBe(false);
    expect(isWithinLimits(many.slice(-50), 99, limits)).toBe(false);
    expect(isWithinLimits(risks(50, 0.06, random), 450, limits)).toBe(false);
  });
});

describe('the sample', () => {
  const of = (documentId: string, share: number) => ({ key: 'k', promptId: 'p', documentId, share });

  it('draws about its share, always the same documents, and a larger share keeps them', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => index.toString(16));
    const drawn = ids.filter((id) => isDrawn(of(id, 0.02)));
    expect(drawn.length).toBeGreaterThan(60);
    expect(drawn.length).toBeLessThan(140);
    expect(drawn.every((id) => isDrawn(of(id, 0.1)))).toBe(true);
    expect(ids.every((id) => isDrawn(of(id, 1)))).toBe(true);
    expect(ids.some((id) => isDrawn(of(id, 0)))).toBe(false);
    expect(ids.filter((id) => isDrawn({ ...of(id, 0.02), key: 'other' }))).not.toEqual(drawn);
  });
});
