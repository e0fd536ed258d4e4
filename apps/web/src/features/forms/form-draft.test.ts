import { expect, it } from 'vitest';
import { draftOver, newDraft, readDraft, writeDraft } from './form-draft.ts';

const first = { version: 1, result: { total: 1, note: 'a' } };
const typed = { ...newDraft(first), mine: { total: 9, note: 'a' } };

it('keeps typed values when others save, and reports fields that both changed', () => {
  const elsewhere = draftOver(typed, { version: 2, result: { total: 1, note: 'b' } });
  expect(elsewhere).toMatchObject({ mine: { total: 9, note: 'b' }, conflicts: [] });
  const same = draftOver(elsewhere, { version: 3, result: { total: 5, note: 'b' } });
  expect(same).toMatchObject({ mine: { total: 9, note: 'b' }, conflicts: ['total'] });
  // Saving resolves the conflict.
  expect(draftOver(same, { version: 4, result: { total: 9, note: 'b' } }).conflicts).toEqual([]);
});

it('is restored with its conflicts on top of newer results', () => {
  expect(writeDraft(newDraft(first))).toBeNull();
  const kept = writeDraft(typed);
  expect(readDraft(kept, { version: 2, result: { total: 5, note: 'b' } })).toMatchObject({
    version: 2,
    mine: { total: 9, note: 'b' },
    conflicts: ['total'],
  });
  expect(readDraft(kept, { version: 2, result: { total: 9, note: 'a' } })).toBeUndefined();
  expect(readDraft('{"changes":[1,{"path":2}]}', first)).toBeUndefined();
  expect(readDraft('not JSON', first)).toBeUndefined();
});
