import type { Extraction } from '@docwright/contract';
import { expect, it } from 'vitest';
import { changedPaths } from './changed-values.ts';

const extraction = (result: unknown): Extraction => ({
  document_id: 'd',
  prompt_revid: 'p',
  prompt_id: 'p',
  version: 1,
  result,
  original_result: result,
  is_edited: false,
  is_verified: false,
  grounding: {},
  validation_errors: [],
  issues: [],
  is_complete: true,
  release: { state: 'open', version: 1 },
  model: 'm',
  usage: { prompt_tokens: 1, completion_tokens: 1, spu: 1, estimated: false },
  created_at: '2026-05-01T00:00:00Z',
});

it('lists new, changed and emptied values, also in rows', () => {
  const before = extraction({ total: 5, buyer: 'A', note: null, items: [{ price: 1 }] });
  const after = extraction({ total: 6, buyer: null, note: null, items: [{ price: 1 }, { price: 2 }], due: 'May' });
  expect([...changedPaths(before, after)].toSorted()).toEqual(['buyer', 'due', 'items.1.price', 'total']);
  expect(changedPaths(undefined, after).size).toBe(0);
  expect(changedPaths(after, after).size).toBe(0);
});
