import { finish } from '../steps/steps.ts';
import { describe, expect, it } from 'vitest';
import { profileSteps, unusualness } from './field-profile.ts';
import { defaultModel, fitSteps, type LabelledValue, measureSteps, predictRisk } from './risk-model.ts';
import { misreadingOf } from './misreading.ts';
import { reasonsOf, type ValueSignals } from './value-signals.ts';

/** Pseudo-random numbers from 0 to 1, the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function generatedValues(count: number, seed: number): LabelledValue[] {
  const random = randomFrom(seed);
  const trueModel = {
    ...defaultModel,
    bias: -3,
    weights: { ...defaultModel.weights, unusual: 5, ocr_unsure: 0.2, not_found: 2 },
  };
  return Array.from({ length: count }, (_, index) => {
    const signals: ValueSignals = {
      isEmpty: random() < 0.1,
      match: random() < 0.1 ? 'none' : random() < 0.1 ? 'fuzzy' : 'exact',
      places: random() < 0.2 ? 3 : 1,
      ocrConfidence: 0.5 + random() / 2,
      unusualness: random() < 0.15 ? random() : 0,
      ...(random() < 0.1 ? { failedCheck: 'error' as const } : {}),
    };
    return { signals, documentId: String(index % 100), isWrong: random() < predictRisk(trueModel, signals) };
  });
}

describe('risk', () => {
  it('is low for a value with one exact place, and grows with each reason', () => {
    const plain: ValueSignals = { isEmpty: false, match: 'exact', places: 1 };
    const risk = (signals: Partial<ValueSignals>) => predictRisk(defaultModel, { ...plain, ...signals });
    expect(risk({})).toBeLessThan(0.05);
    for (const signals of [
      { match: 'none' },
      { match: 'fuzzy' },
      { places: 4 },
      { sharesPlace: true },
      { ocrConfidence: 0.6 },
      { hasSchemaError: true },
      { failedCheck: 'warning' },
      { rowDuplicate: true },
      { differsFromSecondRead: true },
      { hasConflict: true },
      { unusualness: 0.9 },
      { modelDoubt: 0.9 },
    ] as const) {
      expect(risk(signals)).toBeGreaterThan(risk({}) * 1.3);
      expect(reasonsOf({ ...plain, ...signals })).toHaveLength(1);
    }
    expect(risk({ match: 'none', unusualness: 1 })).toBeGreaterThan(0.8);
    expect(reasonsOf(plain)).toEqual([]);
  });

  it('has a calibration error of at most 5 points after a fit to 2,000 values that differ from the defaults', () => {
    const values = generatedValues(2000, 7);
    const unseen = generatedValues(2000, 8);
    const fitted = finish(fitSteps(values));
    const before = finish(measureSteps(unseen, defaultModel));
    const after = finish(measureSteps(unseen, fitted));
    expect(after.error).toBeLessThanOrEqual(0.05);
    expect(after.error).toBeLessThan(before.error);
    expect(after.auroc).toBeGreaterThanOrEqual(before.auroc!);
    // Cross-validation predicts the error on unseen values.
    expect(Math.abs(finish(measureSteps(values)).error - after.error)).toBeLessThan(0.03);
  });

  it('stays near the defaults with few values, and is finite if all values are correct or all are wrong', () => {
    const few = generatedValues(10, 3);
    expect(Math.abs(finish(fitSteps(few)).weights.check_failed - defaultModel.weights.check_failed)).toBeLessThan(1.5);
    for (const isWrong of [true, false]) {
      const model = finish(fitSteps(few.map((value) => ({ ...value, isWrong }))));
      const risk = predictRisk(model, { isEmpty: false, match: 'exact' });
      expect(isWrong ? risk : 1 - risk).toBeGreaterThan(0.5);
      expect(Object.values(model.weights).every(Number.isFinite)).toBe(true);
    }
    expect(finish(measureSteps(few.map((value) => ({ ...value, isWrong: false })))).auroc).toBeNull();
  });
});

describe('a recognised value', () => {
  const plain: ValueSignals = { isEmpty: false, match: 'exact', places: 1 };
  const word = (engine: 'tesseract' | 'ppocr', confidence: number, text: string) => ({
    engine,
    confidence,
    text,
    pageConfidence: 0.6,
  });

  it('is read as surely as its engine, its confidence and its letters say', () => {
    const misreading = (...words: Parameters<typeof word>[]) => misreadingOf(words.map((each) => word(...each)));
    expect(misreading(['tesseract', 0.6, 'Total'])).toBeGreaterThan(misreading(['ppocr', 0.6, 'Total']) + 0.1);
    expect(misreading(['ppocr', 0.93, '4,711'])).toBeGreaterThan(misreading(['ppocr', 0.93, 'Total']) * 1.3);
    expect(misreading(['ppocr', 0.9, '4,711'], ['ppocr', 0.9, '12'])).toBeGreaterThan(
      misreading(['ppocr', 0.9, '4,711']),
    );
    for (const engine of ['tesseract', 'ppocr'] as const) {
      const shares = [0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 1].map((confidence) => misreading([engine, confidence, '12']));
      expect(shares).toEqual(shares.toSorted((one, other) => other - one));
      expect(shares.at(-1)).toBeLessThan(0.02);
    }
    expect(misreadingOf([])).toBe(0);
  });

  it('has about the risk of a misreading, and a reason from one in eleven', () => {
    for (const misreading of [0.02, 0.1, 0.3]) {
      const risk = predictRisk(defaultModel, { ...plain, misreading });
      expect(risk).toBeGreaterThan(misreading);
      expect(risk).toBeLessThan(misreading + 0.02);
    }
    expect(reasonsOf({ ...plain, misreading: 0.08 })).toEqual([]);
    expect(reasonsOf({ ...plain, misreading: 0.1 })).toEqual(['ocr_unsure']);
    expect(reasonsOf({ ...plain, misreading: 0.2, isEmpty: true })).toEqual(['ocr_unsure']);
  });
});

describe('unusual values', () => {
  const values = (field: string, all: (string | number | null)[]) =>
    all.map((value, at) => ({ field, value, documentId: String(at) }));
  const profiles = finish(
    profileSteps([
      ...values(
        'number',
        Array.from({ length: 20 }, (_, index) => `INV-20${10 + index}`),
      ),
      ...values(
        'total',
        Array.from({ length: 20 }, (_, index) => 80 + index * 7),
      ),
      ...values('seller', [
        'Contoso',
        'Fabrikam & Sons',
        'A. Datum Corp.',
        'Tailspin Toys (UK)',
        '3M',
        'O’Reilly 24/7',
      ]),
      ...values(
        'notes',
        Array.from({ length: 20 }, () => null),
      ),
      ...values('few', ['a', 'b']),
      ...Array.from({ length: 20 }, (_, row) => ({ field: 'rows[].unit', value: 'h', documentId: String(row % 2) })),
    ]),
  );
  const unusualnessOf = (field: string, value: string | number | null) => unusualness(value, profiles.get(field));

  it.each([
    ['number', 'INV-2031', false],
    ['number', 'Total due', true],
    ['number', '4711', true],
    ['number', null, true],
    ['total', 150, false],
    ['total', 15_000, true],
    ['total', -95, true],
    ['total', 0, true],
    ['seller', 'Wide World Importers', false],
    ['seller', 'x'.repeat(300), true],
    ['notes', null, false],
    ['notes', 'Delivered late', true],
    ['few', 'something else', false],
    // Twenty rows, of two documents.
    ['rows[].unit', 'kilometres', false],
    ['unknown', 'x', false],
  ])('%s: %j is unusual: %j', (field, value, isUnusual) => {
    expect(unusualnessOf(field, value) >= 0.5).toBe(isUnusual);
  });
});
