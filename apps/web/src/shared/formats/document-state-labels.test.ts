import { expect, it } from 'vitest';
import { incompleteReason, stateLabel } from './document-state-labels.ts';

it('names the page in recognition', () => {
  const ocr = (pages_done: number) =>
    stateLabel({ state: 'ocr_processing', ocr: { pages_done, page_count: 12 } }).label;
  expect([ocr(2), ocr(12)]).toEqual(['Reading page 3 of 12', 'Reading page 12 of 12']);
  expect(stateLabel({ state: 'ocr_processing' }).label).toBe('Reading pages');
});

it('labels a document with an incomplete result as incomplete', () => {
  const incomplete_results = { count: 1, codes: ['rows_missing' as const, 'piece_failed' as const] };
  expect(stateLabel({ state: 'llm_completed' }).label).toBe('Extracted');
  expect(stateLabel({ state: 'llm_completed', incomplete_results })).toEqual({ label: 'Incomplete', tone: 'warn' });
  expect(stateLabel({ state: 'llm_processing', incomplete_results }).label).toBe('Extracting');
  expect(incompleteReason(incomplete_results)).toBe(
    'A result is incomplete: rows are missing, pages could not be read.',
  );
});

it('says what a result asks of the user: a decision, a check or nothing', () => {
  const label = (more: object) => stateLabel({ state: 'llm_completed', ...more }).label;
  const proposed = { auto_create: { status: 'proposed' as const } };
  expect(label({ ...proposed, results: { to_check: 3, is_verified: false } })).toBe('Proposal ready');
  expect(label({ ...proposed, results: { to_check: 0, is_verified: true } })).toBe('Verified');
  expect(label({ results: { to_check: 3, is_verified: false } })).toBe('3 to check');
  expect(label({ results: { to_check: 0, is_verified: false } })).toBe('Extracted');
  const releases = [{ prompt_id: 'a', prompt_revid: 'b', version: 1, state: 'released' as const }];
  expect(label({ releases, results: { to_check: 0, is_verified: true } })).toBe('Released');
  expect(label({ releases, results: { to_check: 1, is_verified: false } })).toBe('Released, 1 to check');
});

it('says first that the agent waits for a decision', () => {
  const waiting = { state: 'llm_completed' as const, results: { to_check: 3, is_verified: true } };
  expect(stateLabel({ ...waiting, waiting_calls: 1 })).toEqual({ label: 'Approval waits', tone: 'waiting' });
  expect(stateLabel({ ...waiting, waiting_calls: 2 }).label).toBe('2 approvals wait');
  expect(stateLabel({ ...waiting, waiting_calls: 0 }).label).toBe('3 to check');
});

it('says that a document was read in part until it has a result', () => {
  const unread = [{ kind: 'picture' as const, page_num: 1, message: 'Nothing sure was found in it.' }];
  expect(stateLabel({ state: 'ocr_completed', unread })).toEqual({ label: 'Read in part', tone: 'warn' });
  expect(stateLabel({ state: 'ocr_completed', unread: [] }).label).toBe('Ready');
  expect(stateLabel({ state: 'llm_processing', unread }).label).toBe('Extracting');
});
