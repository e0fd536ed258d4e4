import { expect, it } from 'vitest';
import { unfinishedAnswer } from './unfinished-answer.ts';

const usage = { prompt_tokens: 1, completion_tokens: 1, estimated: false };
const codeOf = (finishReason: string, more: object = {}) =>
  unfinishedAnswer({ answer: { content: 'Yes.', toolCalls: [], reasoning: [], ...more }, finishReason, usage }, 'm')
    ?.code;
const toolCalls = [{ name: 'f', arguments: '{}' }];

it.each([
  ['length', 'model_answer_cut'],
  ['MAX_TOKENS', 'model_answer_cut'],
  ['content_filter', 'model_content_filtered'],
  ['SAFETY', 'model_content_filtered'],
  ['refusal', 'model_declined'],
  ['error', 'model_unavailable'],
  ['stop', undefined],
  ['missing', undefined],
  ['tool_calls', undefined],
])('an answer that ended by %s is %s', (finishReason, code) => {
  expect(codeOf(finishReason)).toBe(code);
});

it('an answer without text and calls is empty, also if the model thought', () => {
  expect(codeOf('stop', { content: ' \n' })).toBe('model_empty_answer');
  expect(codeOf('stop', { content: '', reasoning: [{ kind: 'text', field: 'reasoning', text: 'Hm.' }] })).toBe(
    'model_empty_answer',
  );
  expect(codeOf('stop', { content: '', toolCalls })).toBeUndefined();
});

it('complete calls of a cut answer count, those of a filtered one do not', () => {
  expect(codeOf('length', { toolCalls })).toBeUndefined();
  expect(codeOf('content_filter', { toolCalls })).toBe('model_content_filtered');
});

it('a refusal is no answer', () => {
  expect(codeOf('stop', { isRefusal: true })).toBe('model_declined');
});
