import { finish } from '../steps/steps.ts';
import { expect, it } from 'vitest';
import { defaultModel } from '../risk/risk-model.ts';
import type { StoredSignals } from './observe-values.ts';
import { reviewSteps } from './review-values.ts';

function review(signals: StoredSignals, acceptBelow = 0) {
  const result = { total: 3 };
  const rest = { isVerified: false, decisions: {}, model: defaultModel, profiles: new Map() };
  const policy = acceptBelow > 0 && { checkFrom: acceptBelow };
  const [total] = finish(
    reviewSteps({
      result,
      originalResult: result,
      signals: { total: signals },
      acceptBelow,
      ...rest,
      ...policy,
    }),
  );
  return total!;
}

it.each([
  ['that is not on the page', { match: 'none' }],
  ['with several places', { places: 4 }],
  ['whose text differs', { match: 'fuzzy' }],
  ['that a check refuses', { failedCheck: 'error' }],
  ['without a doubt', {}],
] as const)('data for machines in the document let no value pass %s', (_, signals) => {
  const without = review(signals);
  const agreeing = review({ ...signals, embedded: 'agrees' });
  expect(agreeing.reasons).toContain('agrees_with_embedded');
  expect(agreeing.risk).toBeLessThan(without.risk);
  expect(agreeing).toMatchObject({ toCheck: without.toCheck, decidingRisk: without.risk });
  for (const acceptBelow of [0.005, 0.05, 0.2, 0.5]) {
    const { state, toCheck } = review(signals, acceptBelow);
    expect(review({ ...signals, embedded: 'agrees' }, acceptBelow)).toMatchObject({ state, toCheck });
  }
  const differing = review({ ...signals, embedded: 'differs' });
  expect(differing.toCheck).toBe(true);
  expect(differing.decidingRisk).toBeGreaterThan(without.risk);
});
