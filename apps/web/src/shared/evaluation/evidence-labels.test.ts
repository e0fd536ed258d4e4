import type { Evaluation, EvaluationDifference } from '@docwright/contract';
import { expect, it } from 'vitest';
import { differenceKindLabel, differenceValue, effectLabel, evidenceTone } from './evidence-labels.ts';

const measured = (more: object = {}, totals: object = {}): Evaluation =>
  ({
    state: 'completed',
    documents: { total: 12, done: 12, failed: 0 },
    totals: { fixed: 5, broken: 0, accuracy_before: 0.961, accuracy_after: 0.984, ...totals },
    ...more,
  }) as Evaluation;

it('summarizes in one line the effect of a change and how many documents were measured', () => {
  expect(effectLabel(measured())).toBe('12 documents: 5 fixed, 0 broken, 96.1% → 98.4%');
  const ended = {
    state: 'failed',
    documents: { total: 12, done: 7, failed: 0 },
    error: { message: 'No budget is left.' },
  };
  expect(effectLabel(measured(ended))).toBe('7 of 12 documents: 5 fixed, 0 broken, 96.1% → 98.4%. No budget is left.');
  expect(effectLabel(measured({ ...ended, documents: { total: 12, done: 0, failed: 0 } }))).toBe(
    'Not measured. No budget is left.',
  );
});

it('takes its tone from broken values, not from accuracy', () => {
  expect(evidenceTone(measured())).toBe('good');
  expect(evidenceTone(measured({}, { broken: 1, accuracy_after: 1 }))).toBe('bad');
  expect(evidenceTone(measured({}, { accuracy_after: 0.5 }))).toBe('good');
  expect(evidenceTone(measured({ documents: { total: 12, done: 9, failed: 3 } }))).toBe('warn');
});

it('distinguishes a missing value from an empty one', () => {
  const difference = { truth: null, before: '', after: 0, absent: ['truth'] } as unknown as EvaluationDifference;
  expect(differenceValue(difference, 'truth')).toBe('no row');
  expect(differenceValue(difference, 'before')).toBe('empty');
  expect(differenceValue(difference, 'after')).toBe('0');
  const ofNewField: EvaluationDifference = { ...difference, kind: 'unknown' };
  expect([differenceValue(ofNewField, 'truth'), differenceKindLabel(ofNewField)]).toEqual(['–', 'new field']);
});
