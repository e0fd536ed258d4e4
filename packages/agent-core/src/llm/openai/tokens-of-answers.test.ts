import { expect, it } from 'vitest';
import { createRecordedFetch, delta, eventStream, stop } from '../../testing/recorded-fetch.ts';
import { completeText } from '../complete-text.ts';
import type { LlmRequest } from '../llm-client.ts';
import { createOpenAiLlmClient } from './openai-llm-client.ts';

const request: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'Total 5' }] };

it.each([
  ['OpenAI', { prompt_tokens_details: { cached_tokens: 80 } }, 80],
  ['Anthropic', { cache_read_input_tokens: 70 }, 70],
  ['DeepSeek', { prompt_cache_hit_tokens: 60 }, 60],
  ['a provider without such a count', {}, undefined],
])('reads the number of cached tokens from the field of %s', async (_, counted, expected) => {
  const usage = { prompt_tokens: 100, completion_tokens: 5, ...counted };
  const { fetch } = createRecordedFetch([
    { body: eventStream([delta({ content: 'x' }), stop, { choices: [], usage }]) },
  ]);
  const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch });
  expect((await completeText(llm, request)).usage.cached_tokens).toBe(expected);
});

it('returns the probabilities of tokens, however they are split into chunks', async () => {
  const piece = (content: string, ...tokens: [token: string, logprob: number][]) => ({
    choices: [
      {
        delta: { content },
        logprobs: { content: tokens.map(([token, logprob]) => ({ token, logprob, top_logprobs: [] })) },
      },
    ],
  });
  const body = eventStream([
    delta({ content: '{"total":' }),
    piece('12', ['1', 0], ['2', Math.log(0.5)]),
    // One character of two tokens, whose texts are not valid UTF-8.
    piece('é', ['\\xc3', Math.log(0.25)], ['\\xa9', 0]),
    { choices: [{ delta: { content: '}' }, logprobs: { content: null } }] },
    stop,
  ]);
  const { fetch } = createRecordedFetch([{ body }]);
  const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] });
  const { tokens } = await completeText(llm, request);
  expect(tokens).toEqual([
    { length: 9, probability: undefined },
    { length: 1, probability: 1 },
    { length: 1, probability: 0.5 },
    { length: 1, probability: 0.25 },
    { length: 1, probability: undefined },
  ]);
});
