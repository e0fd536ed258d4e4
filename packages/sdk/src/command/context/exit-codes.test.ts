import type { TurnAnswer } from '@docwright/contract';
import { expect, test } from 'vitest';
import { DocwrightError } from '../../client/docwright-error.ts';
import { exitCodeOf, exitCodeOfTurn, Interrupted, UsageError } from './exit-codes.ts';

test.each([
  [400, 'no_prompt', 1],
  [401, 'bad_credentials', 3],
  [402, 'budget_exhausted', 6],
  [403, 'forbidden', 3],
  [404, 'not_found', 4],
  [409, 'conflict', 1],
  [410, 'turn_expired', 1],
  [429, 'too_many_turns', 7],
  [502, 'model_failed', 1],
  [503, 'not_ready', 7],
  [404, 'not_docwright', 2],
  [0, 'unreachable', 7],
  [0, 'unreadable_file', 4],
  [0, 'ocr_failed', 1],
] as const)('%i %s ends with %i', (status, code, exitCode) => {
  expect(exitCodeOf(new DocwrightError({ status, code, message: '' }))).toBe(exitCode);
});

test('usage errors, interrupts and unexpected errors have their own codes', () => {
  expect([new UsageError(''), new Interrupted(''), new Error('')].map(exitCodeOf)).toEqual([2, 130, 1]);
});

test.each([
  ['completed', undefined, 0],
  ['awaiting_approval', undefined, 5],
  ['awaiting_answers', undefined, 5],
  ['max_rounds', undefined, 1],
  ['stopped', undefined, 1],
  ['superseded', undefined, 1],
  ['failed', 'model_failed', 1],
  ['failed', 'budget_exhausted', 6],
] as const)('a turn that is %s (%s) ends with %i', (status, code, exitCode) => {
  const turn = { status, ...(code && { error: { code, message: '' } }) } as TurnAnswer;
  expect(exitCodeOfTurn(turn)).toBe(exitCode);
});
