import { describe, expect, it } from 'vitest';
import {
  callDelta,
  delta,
  eventStream,
  createRecordedFetch,
  stop,
  toolCallsEnd,
  type RecordedAnswer,
} from '../../testing/recorded-fetch.ts';
import { completeText } from '../complete-text.ts';
import type { LlmChunk, LlmRequest } from '../llm-client.ts';
import { createOpenAiLlmClient } from './openai-llm-client.ts';

const apiKey = 'very-private-key-1234567890';
const request: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'Hello, how are you?' }] };

async function play(answers: readonly RecordedAnswer[], over: Partial<LlmRequest> = {}, retryPausesMs = [1, 2]) {
  const recorded = createRecordedFetch(answers);
  const llm = createOpenAiLlmClient({
    baseUrl: 'http://model.test/v1?key=x',
    apiKey,
    fetch: recorded.fetch,
    retryPausesMs,
  });
  const chunks: LlmChunk[] = [];
  let error: unknown;
  try {
    for await (const said of llm.stream({ ...request, ...over })) chunks.push(...said);
  } catch (thrown) {
    error = thrown;
  }
  const finish = chunks.find((chunk) => chunk.type === 'finish');
  const text = chunks.map((chunk) => (chunk.type === 'text_delta' ? chunk.text : '')).join('');
  return { chunks, finish, text, error, requests: recorded.requests };
}

const hello = delta({ content: 'Hello' });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

describe('a stream', () => {
  it('yields text as it arrives, then the complete answer', async () => {
    const { chunks } = await play([{ body: [eventStream([hello], ''), eventStream([delta({ content: '!' }), stop])] }]);
    expect(chunks).toEqual([
      { type: 'text_delta', text: 'Hello' },
      { type: 'text_delta', text: '!' },
      {
        type: 'finish',
        answer: { content: 'Hello!', toolCalls: [], reasoning: [], model: 'm' },
        finishReason: 'stop',
        usage: expect.anything(),
      },
    ]);
  });

  it('yields text that arrived together as one piece, apart from thinking', async () => {
    const thought = (text: string) => delta({ reasoning_content: text });
    const together = [thought('Hm'), thought('.'), hello, delta({ content: ', ' }), delta({ content: 'you' })];
    const { chunks } = await play([
      { body: [eventStream(together, ''), eventStream([delta({ content: '!' }), stop])] },
    ]);
    expect(chunks.slice(0, -1)).toEqual([
      { type: 'thinking_delta', text: 'Hm.' },
      { type: 'text_delta', text: 'Hello, you' },
      { type: 'text_delta', text: '!' },
    ]);
  });

  it('can be split anywhere, even inside a character', async () => {
    const whole = new TextEncoder().encode(eventStream([delta({ content: 'grüß Gott €' }), stop]));
    const fetchInPieces: typeof fetch = async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of whole) controller.enqueue(Uint8Array.of(byte));
            controller.close();
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch: fetchInPieces });
    expect((await completeText(llm, request)).text).toBe('grüß Gott €');
  });

  it('sends tools and response format unchanged', async () => {
    const tools = [
      { type: 'function' as const, function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
    ];
    const responseFormat = { type: 'json_object' };
    const { requests } = await play([{ body: eventStream([stop]) }], { tools, responseFormat });
    expect(requests).toEqual([
      {
        model: 'm',
        messages: request.messages,
        tools,
        response_format: responseFormat,
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
  });

  it('13 and 14: ignores chunks with empty or missing choices', async () => {
    const { text, finish } = await play([
      { body: eventStream([{ choices: [] }, {}, { choices: null }, hello, stop, { choices: [], usage }]) },
    ]);
    expect(text).toBe('Hello');
    expect(finish?.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, estimated: false });
  });

  it('15: uses the last usage of several, and estimates it if there is none', async () => {
    const counted = [hello, stop].map((chunk, at) => ({
      ...(chunk as object),
      usage: { ...usage, completion_tokens: at + 1 },
    }));
    expect((await play([{ body: eventStream(counted) }])).finish?.usage).toMatchObject({
      completion_tokens: 2,
      estimated: false,
    });
    const { finish } = await play([{ body: eventStream([hello, stop]) }]);
    expect(finish?.usage).toMatchObject({ completion_tokens: 2, estimated: true });
    expect(finish?.usage.prompt_tokens).toBeGreaterThan(5);
  });

  it('17 and 18: has the calls of the stream, whatever the finish reason is', async () => {
    const call = callDelta({ index: 0, id: 'a', name: 'f', arguments: '{}' });
    expect((await play([{ body: eventStream([call, stop]) }])).finish?.answer.toolCalls).toHaveLength(1);
    const { finish } = await play([{ body: eventStream([hello, toolCallsEnd]) }]);
    expect(finish?.answer).toMatchObject({ content: 'Hello', toolCalls: [], reasoning: [] });
  });

  it.each([
    ['[DONE]', 'data: [DONE]\n\n'],
    ['its close', ''],
  ])('19: without a finish reason ends at %s', async (_, end) => {
    const call = callDelta({ index: 0, id: 'a', name: 'f', arguments: '{"a":1}' });
    const { finish } = await play([{ body: eventStream([hello, call], end) }]);
    expect(finish).toMatchObject({
      finishReason: 'missing',
      answer: { content: 'Hello', toolCalls: [{ arguments: '{"a":1}' }] },
    });
    expect(finish?.answer.toolCalls[0]).not.toHaveProperty('truncated');
  });

  it('19: drops an event that the close cut in two, and reads one that lacks its blank line', async () => {
    const body = eventStream([hello], '') + 'data: {"choices":[{"delta":{"cont';
    expect((await play([{ body }])).text).toBe('Hello');
    expect((await play([{ body: `data: ${JSON.stringify(hello)}` }])).text).toBe('Hello');
  });

  it('22: ignores keep-alives of every kind', async () => {
    const pings = [
      ': keep-alive\n\n',
      'data: : keepalive\n\n',
      ':\n\n',
      'data:\n\n',
      'event: ping\n\n',
      'retry: 10\n\n',
      '\n\n',
    ];
    const { chunks, error } = await play([{ body: eventStream([...pings, hello, ...pings, stop]) }]);
    expect(error).toBeUndefined();
    expect(chunks).toHaveLength(2);
  });

  it('reads a complete answer from a server that does not stream', async () => {
    const body = JSON.stringify({
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage,
    });
    const { finish } = await play([{ body, headers: { 'content-type': 'application/json' } }]);
    expect(finish).toMatchObject({ answer: { content: 'Hello' }, usage: { prompt_tokens: 7 } });
  });
});

describe('a failure', () => {
  const failed = (kind: string, code: string, message: RegExp) =>
    expect.objectContaining({ kind, code, message: expect.stringMatching(message) });
  /** The text for the log. */
  const accountOf = (error: unknown) => String((error as Error).cause);

  it('21: in the stream fails the call with the provider’s code, without a retry', async () => {
    const event = { error: { code: 'context_overflow', message: 'Too long.' } };
    const { error, text, requests } = await play([{ body: eventStream([hello, event]) }]);
    expect(text).toBe('Hello');
    expect(error).toEqual(failed('too_large', 'model_context_exceeded', /more than it can read/));
    expect(accountOf(error)).toMatch(/\(context_overflow\)$/);
    expect(error).toMatchObject({ details: { provider_code: 'context_overflow' } });
    expect(requests).toHaveLength(1);
  });

  it('21: can be an SSE event named error, or a JSON error after status 200', async () => {
    const named = 'event: error\ndata: {"message":"Overloaded."}\n\n';
    const { error } = await play([{ body: named }]);
    expect(error).toEqual(failed('model_failed', 'model_unavailable', /Try again/));
    expect(accountOf(error)).not.toContain('Overloaded.');
    const json = {
      body: '{"error":{"message":"Bad model.","code":404}}',
      headers: { 'content-type': 'application/json' },
    };
    expect((await play([json])).error).toEqual(failed('model_failed', 'model_refused', /LLM_MODEL/));
  });

  it('31: with status 400 is not retried', async () => {
    const body = '{"error":{"message":"tools: wrong","code":"invalid_request"}}';
    const { error, requests } = await play([{ status: 400, body }]);
    expect(error).toEqual(failed('model_failed', 'model_refused', /refused the request/));
    expect(accountOf(error)).toMatch(/\(400 invalid_request\)$/);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['429', { status: 429, body: '{"error":{"message":"slow down"}}' }, 'rate_limited', 'model_rate_limited'],
    ['503', { status: 503, body: 'down' }, 'model_failed', 'model_unavailable'],
    ['a refused connection', { breaks: true as const }, 'model_failed', 'model_unreachable'],
    [
      'a connection that breaks before the first token',
      { body: ': wait\n\n', breaks: true as const },
      'model_failed',
      'model_unreachable',
    ],
    [
      'a 429 in the stream before the first token',
      { body: eventStream([{ error: { code: 429, message: 'slow down' } }]) },
      'rate_limited',
      'model_rate_limited',
    ],
  ])('31: by %s is tried three times in all', async (_, answer, kind, code) => {
    const { error, requests } = await play([answer, answer, answer]);
    expect(error).toEqual(failed(kind, code, /^The model "m" /));
    expect(requests).toHaveLength(3);
    const recovered = await play([answer, answer, { body: eventStream([hello, stop]) }]);
    expect(recovered.text).toBe('Hello');
  });

  it('31: after the first token is not retried', async () => {
    const { error, requests, text } = await play([{ body: eventStream([hello], ''), breaks: true }]);
    expect(error).toEqual(failed('model_failed', 'model_unreachable', /broke off/));
    expect([text, requests.length]).toEqual(['Hello', 1]);
  });

  it('31: is retried after the time in Retry-After, and not at all if that is too long', async () => {
    const answers = (seconds: string) => [
      { status: 429, headers: { 'retry-after': seconds } },
      { body: eventStream([hello, stop]) },
    ];
    expect((await play(answers('0'), {}, [60_000])).text).toBe('Hello');
    expect((await play(answers('3600'), {}, [0])).error).toEqual(
      failed('rate_limited', 'model_rate_limited', /in 60 min/),
    );
  });

  it('by an exhausted quota is not a rate limit', async () => {
    const { error, requests } = await play([
      { status: 429, body: '{"error":{"code":"insufficient_quota","message":"no"}}' },
    ]);
    expect(error).toEqual(failed('budget_exhausted', 'model_quota_exhausted', /top it up/));
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['a web page', { body: '<!doctype html><html>', headers: { 'content-type': 'text/html; charset=utf-8' } }],
    ['a web page that calls itself a stream', { body: '\n<html>' }],
    ['nothing', { body: '' }],
    ['words', { body: 'It works!' }],
    ['events that are not JSON', { body: 'data: hello\n\n' }],
  ])('by %s instead of an answer names LLM_BASE_URL', async (_, answer) => {
    const { error, requests } = await play([answer]);
    expect(error).toEqual(failed('model_failed', 'model_bad_answer', /LLM_BASE_URL/));
    expect(accountOf(error)).toContain('http://model.test/v1 answered with');
    expect(requests).toHaveLength(1);
  });

  it('never contains a key, the endpoint’s query or a header', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${apiKey} or sk-abcdefgh12345` } });
    const { error } = await play([{ status: 401, body }]);
    expect(error).toEqual(failed('model_failed', 'model_refused', /LLM_API_KEY/));
    const shown = `${String(error)} ${JSON.stringify(error)} ${accountOf(error)}`;
    for (const secret of [apiKey, 'abcdefgh', 'key=x']) expect(shown).not.toContain(secret);
  });
});
