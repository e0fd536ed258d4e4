import { expect, test } from 'vitest';
import { readAnswer } from './answer-questions.ts';

const options = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
];

test.each([
  ['a number', '2', {}, { question_id: 'q', option_ids: ['b'] }],
  ['several numbers', '1, 2,1', { multi_select: true }, { question_id: 'q', option_ids: ['a', 'b'] }],
  ['several numbers for a single-choice question', '1,2', {}, undefined],
  ['nothing', '', {}, { question_id: 'q', option_ids: [] }],
  ['own words', 'both, rather', {}, { question_id: 'q', option_ids: [], other: 'both, rather' }],
  ['own words where they are not allowed', 'both', { allow_other: false }, undefined],
  ['an unknown number', '7', { allow_other: false }, undefined],
])('reads %s', (_, line, more, answer) => {
  expect(readAnswer(line, { id: 'q', options, multi_select: false, allow_other: true, ...more })).toEqual(answer);
});
