import type { ReleaseStatus } from '@docwright/contract';
import { expect, it } from 'vitest';
import { statusSentence } from './release-labels.ts';

const status: ReleaseStatus = {
  state: 'active',
  policy: { max_wrong: 0.005, confidence: 0.95, unit: 'document', sample: 0.02 },
  policy_version: 1,
  changed_by: 'u',
  changed_at: '2026-05-01T00:00:00Z',
  threshold: 0.04,
  bound: 0.0038,
  confidence: 0.95,
  max_wrong: 0.005,
  audited: { documents: 940, values: 9000, wrong: 1 },
  needed: { documents: 0 },
  released_share: 0.71,
  hasty_share: 0,
  last_30_days: [],
  curve: [],
};

it('says what is released, and with which bound', () => {
  expect(statusSentence(status)).toMatch(
    /^71\s?% of documents are released without a look; at most 0\.38\s?% of them hold a wrong value, at 95\s?% confidence, from 940 audited, 1 wrong\.$/,
  );
});

it('says how many documents are missing', () => {
  const collecting = { ...status, state: 'collecting' as const, needed: { documents: 1 } };
  expect(statusSentence(collecting)).toContain(
    '1 more document without an error is needed, from 940 audited, 1 wrong.',
  );
});
