import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { callDelta, delta, eventStream, createRecordedFetch, type RecordedAnswer } from '../testing/recorded-fetch.ts';
import { completeText } from './complete-text.ts';
import { BrokenAnswerError, type EndpointLabels } from './model-failure.ts';
import { createOpenAiLlmClient } from './openai/openai-llm-client.ts';

const labels: EndpointLabels = {
  where: ' of the provider "acme"',
  address: 'its base_url',
  key: 'its token',
  model: 'its models',
  administrator: 'An admin',
};

async function failureOf(fetch: typeof globalThis.fetch): Promise<unknown> {
  const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, labels, retryPausesMs: [1, 2] });
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello, how are you?' }] };
  return await completeText(llm, request).catch((error: unknown) => error);
}
const failureOfAnswer = (answer: RecordedAnswer) => failureOf(createRecordedFetch([answer, answer, answer]).fetch);
const failed = eventStream([{ error: { message: 'overloaded', code: 500 } }], '');

it('reports the usage of an interrupted answer, counted or estimated, even inside a call', async () => {
  const inText = await failureOfAnswer({ body: [eventStream([delta({ content: 'x'.repeat(400) })], ''), failed] });
  expect(inText).toBeInstanceOf(BrokenAnswerError);
  expect(inText).toMatchObject({ kind: 'model_failed', usage: { completion_tokens: 100, estimated: true } });
  const inCall = await failureOfAnswer({
    body: [eventStream([callDelta({ id: 'a', name: 'f', arguments: '{"a":' })], ''), failed],
  });
  expect(inCall).toBeInstanceOf(BrokenAnswerError);
  const usage = { prompt_tokens: 7, completion_tokens: 3 };
  const counted = await failureOfAnswer({
    body: [eventStream([delta({ content: 'Hi' }), { choices: [], usage }], ''), failed],
  });
  expect(counted).toMatchObject({ usage: { ...usage, estimated: false } });
});

it('reports no usage if the call failed before its answer', async () => {
  expect(await failureOfAnswer({ body: failed })).not.toBeInstanceOf(BrokenAnswerError);
});

it('names the model, and the settings and administrator of the endpoint', async () => {
  const error = await failureOfAnswer({ status: 401, body: '{"error":{"message":"no"}}' });
  expect((error as Error).message).toMatch(
    /^The model "m" of the provider "acme" rejected the API key.* An admin .*its token/,
  );
});

const quote = 'deployment gpt-internal on 10.0.0.7 in /srv/llm';
const errorAnswer = (status: number, code?: string, message = quote): RecordedAnswer => ({
  status,
  body: JSON.stringify({ error: { message, code } }),
});
it.each<[string, RecordedAnswer, string, RegExp]>([
  ['a refused key', errorAnswer(401, 'invalid_api_key'), 'model_refused', /rejected the API key.*its token/],
  ['an unknown model', errorAnswer(404), 'model_refused', /was not found.*its models/],
  ['a limit', errorAnswer(429), 'model_rate_limited', /Wait a moment/],
  [
    'a proxy whose budget is used up',
    errorAnswer(422, 'budget_exceeded', `${quote}: Budget has been exceeded! Current cost: 2.1, Max budget: 2.0`),
    'model_budget_exceeded',
    /raise the budget of its token/,
  ],
  [
    'a quota with the status of a rate limit',
    errorAnswer(429, undefined, `${quote}: You exceeded your current quota, please check your plan`),
    'model_quota_exhausted',
    /top it up/,
  ],
  [
    'a credit that is too low',
    errorAnswer(400, 'invalid_request_error', `${quote}: Your credit balance is too low to access the API.`),
    'model_credit_too_low',
    /buy credit/,
  ],
  [
    'a country that is not served',
    errorAnswer(403, 'unsupported_country_region_territory'),
    'model_country_unsupported',
    /does not serve the country/,
  ],
  ['an account without money', errorAnswer(402), 'model_quota_exhausted', /top it up/],
  ['a refused request', errorAnswer(400, 'tools: gpt-internal is wrong'), 'model_refused', /choose another model/],
  [
    'a named context limit',
    errorAnswer(400, 'context_length_exceeded'),
    'model_context_exceeded',
    /more than it can read/,
  ],
  [
    'a context limit in the message',
    errorAnswer(400, undefined, `${quote}: maximum context length is 8192 tokens`),
    'model_context_exceeded',
    /longer context/,
  ],
  [
    'a content policy',
    errorAnswer(400, 'content_policy_violation'),
    'model_content_filtered',
    /content policy of its service/,
  ],
  ['a broken service', errorAnswer(500), 'model_unavailable', /Try again/],
  [
    'a service that fails during its answer',
    { body: [eventStream([delta({ content: 'Hi' })], ''), failed] },
    'model_unavailable',
    /Try again/,
  ],
  ['no connection', { breaks: true }, 'model_unreachable', /Try again.*its base_url/],
  ['a web page', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'model_bad_answer', /\/v1/],
])('for %s the user learns what to do, and the log has endpoint and status', async (_, answer, code, cure) => {
  const error = (await failureOfAnswer(answer)) as DomainError;
  expect(error.code).toBe(code);
  expect(error.message).toMatch(cure);
  const shown = `${error.message} ${JSON.stringify(error.details ?? null)}`;
  expect(shown).toContain('"m"');
  expect(shown).not.toMatch(/model\.test|gpt-internal|10\.0\.0\.7|ECONN|overloaded/);
  const logged = (error.cause as Error).message;
  expect(logged).toContain('http://model.test/v1');
  // Services repeat the request, and with it the text of documents.
  expect(logged).not.toMatch(/gpt-internal|10\.0\.0\.7/);
  if ('status' in answer) expect(logged).toContain(String(answer.status));
});

it('passes on the error of a connection that the server refused, without a retry', async () => {
  let tries = 0;
  const refused = new DomainError('model_failed', 'address_refused', 'Not there.');
  const error = await failureOf(async () => {
    tries++;
    throw new TypeError('fetch failed', { cause: refused });
  });
  expect(error).toBe(refused);
  expect(tries).toBe(1);
});

it('passes on the waiting time that a service requests, at most one hour', async () => {
  const limited = (seconds: string) => failureOfAnswer({ ...errorAnswer(429), headers: { 'retry-after': seconds } });
  expect(await limited('90')).toMatchObject({ message: /in 90 s/, details: { retry_after_seconds: 90 } });
  expect(await limited('999999')).toMatchObject({ message: /in 60 minutes/, details: { retry_after_seconds: 3600 } });
});

it('reads the waiting time that LiteLLM passes on under its own name, unless it names one itself', async () => {
  const behind = { 'llm_provider-retry-after': '40' };
  expect(await failureOfAnswer({ ...errorAnswer(429), headers: behind })).toMatchObject({
    details: { retry_after_seconds: 40 },
  });
  expect(await failureOfAnswer({ ...errorAnswer(429), headers: { ...behind, 'retry-after': '90' } })).toMatchObject({
    details: { retry_after_seconds: 90 },
  });
});

it('reads only the beginning of an error', async () => {
  let given = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(120));
      },
    });
  const error = await failureOf(async () => new Response(endless(), { status: 503 }));
  expect(error).toMatchObject({ code: 'model_unavailable' });
  expect(given).toBeLessThan(3 * 500_000);
});

it.each([
  [401, 'model_refused'],
  [402, 'model_quota_exhausted'],
  [413, 'model_context_exceeded'],
  [429, 'model_rate_limited'],
  [502, 'model_unavailable'],
  [503, 'model_unavailable'],
  [504, 'model_unavailable'],
])('a web page with status %i is %s: the status decides', async (status, code) => {
  const page = { status, body: '<!doctype html><h1>Error</h1>', headers: { 'content-type': 'text/html' } };
  expect(await failureOfAnswer(page)).toMatchObject({ code });
});

it('reads the waiting time of a provider behind LiteLLM', async () => {
  const limited = { ...errorAnswer(429), headers: { 'llm_provider-retry-after': '90' } };
  expect(await failureOfAnswer(limited)).toMatchObject({ details: { retry_after_seconds: 90 } });
});
