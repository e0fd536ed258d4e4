import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { callDelta, delta, eventStream, recordedFetch, type RecordedAnswer } from '../testing/recorded-fetch.ts';
import { completeText } from './complete-text.ts';
import { BrokenAnswerError, type EndpointWords } from './model-failure.ts';
import { createOpenAiLlmClient } from './openai-llm-client.ts';

const words: EndpointWords = { endpoint: 'The provider "acme"', address: 'its base_url', key: 'its token', model: 'm' };

async function failureOf(fetch: typeof globalThis.fetch): Promise<unknown> {
  const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, words, retryPausesMs: [1, 2] });
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello, how are you?' }] };
  return await completeText(llm, request).catch((error: unknown) => error);
}
const played = (answer: RecordedAnswer) => failureOf(recordedFetch([answer, answer, answer]).fetch);
const failed = eventStream([{ error: { message: 'overloaded', code: 500 } }], '');

it('tells what an answer had used when it broke off, counted or estimated, be it inside a call', async () => {
  const inText = await played({ body: [eventStream([delta({ content: 'x'.repeat(400) })], ''), failed] });
  expect(inText).toBeInstanceOf(BrokenAnswerError);
  expect(inText).toMatchObject({ kind: 'model_failed', usage: { completion_tokens: 100, estimated: true } });
  const inCall = await played({
    body: [eventStream([callDelta({ id: 'a', name: 'f', arguments: '{"a":' })], ''), failed],
  });
  expect(inCall).toBeInstanceOf(BrokenAnswerError);
  const usage = { prompt_tokens: 7, completion_tokens: 3 };
  const counted = await played({ body: [eventStream([delta({ content: 'Hi' }), { choices: [], usage }], ''), failed] });
  expect(counted).toMatchObject({ usage: { ...usage, estimated: false } });
});

it('tells of no use where the call failed before its answer', async () => {
  expect(await played({ body: failed })).not.toBeInstanceOf(BrokenAnswerError);
});

it('names the settings of whoever owns the endpoint', async () => {
  const error = await played({ status: 401, body: '{"error":{"message":"no"}}' });
  expect((error as Error).message).toMatch(/^The provider "acme" at http:\/\/model\.test\/v1 refused .*its token/);
});

it('passes on why a connection was refused on our side, without another try', async () => {
  let tries = 0;
  const refused = new DomainError('model_failed', 'address_refused', 'Not there.');
  const error = await failureOf(async () => {
    tries++;
    throw new TypeError('fetch failed', { cause: refused });
  });
  expect(error).toBe(refused);
  expect(tries).toBe(1);
});
