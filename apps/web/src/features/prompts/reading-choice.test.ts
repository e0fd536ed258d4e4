import { expect, it } from 'vitest';
import { readingBody, readingLines, readingOf } from './reading-choice.ts';

it('sends the chosen settings, and null for removed ones', () => {
  const chosen = { ...readingOf(undefined), secondRead: true, secondModel: 'm2', accepts: true, confirmBelow: '2.5' };
  expect(readingBody(chosen).create).toEqual({
    evidence: false,
    second_read: true,
    second_model: 'm2',
    review_policy: { confirm_below: 0.025, sample: 0.1 },
  });
  expect(readingBody({ ...chosen, secondRead: false, accepts: false }).update).toEqual({
    evidence: false,
    second_read: false,
    second_model: null,
    review_policy: null,
  });
});

it('describes how a prompt reads, and that a second read doubles the cost', () => {
  const prompt = { evidence: true, second_read: true, review_policy: { confirm_below: 0.05, sample: 0.1 } } as never;
  expect(readingLines(prompt)).toEqual([
    'The model names the words of each value',
    'Reads twice, at twice the cost',
    'Accepts values below a risk of 5 %, except in 10 % of the documents',
  ]);
  expect(readingOf(prompt)).toMatchObject({ evidence: true, secondRead: true, accepts: true, confirmBelow: '5' });
});
