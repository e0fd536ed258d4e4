import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { callDelta, delta, eventStream } from '../../testing/recorded-fetch.ts';
import { createOpenAiLlmClient } from './openai-llm-client.ts';

const encoder = new TextEncoder();
/** More than any test here needs: what has no bound ends with it. */
const maxPieces = 3_000;

/** Asks a model whose endpoint sends these pieces; what it read, and how often other work had its turn. */
async function ask(piece: (at: number) => string, { contentType = 'text/event-stream', pieces = maxPieces } = {}) {
  let sent = 0;
  let turns = 0;
  const over = new AbortController();
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= pieces) return controller.close();
        controller.enqueue(encoder.encode(piece(sent)));
        sent += 1;
      },
    });
  const llm = createOpenAiLlmClient({
    baseUrl: 'http://model.test/v1',
    fetch: async () => new Response(body(), { headers: { 'content-type': contentType } }),
    retryPausesMs: [],
  });
  const count = async () => {
    for (; !over.signal.aborted; turns += 1) await nextTurn();
  };
  const counted = count();
  let error: unknown;
  let text = '';
  try {
    for await (const chunks of llm.stream({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })) {
      for (const chunk of chunks) if (chunk.type === 'text_delta') text += chunk.text;
    }
  } catch (thrown) {
    error = thrown;
  }
  over.abort();
  await counted;
  return { sent, turns, error, text };
}

describe('an answer that goes on without saying anything is ended', () => {
  it.each([
    ['comments', ': '.padEnd(65_536, '.') + '\n\n'],
    ['lines that mean nothing', 'nothing: '.padEnd(65_536, '.') + '\n\n'],
    ['chunks without choices', 'data: {"choices":[]}\n\n'.repeat(2_900)],
    ['empty pieces of text', `data: ${JSON.stringify(delta({ content: '' }))}\n\n`.repeat(500)],
  ])('%s', async (_, piece) => {
    const { sent, error } = await ask(() => piece);
    expect(error).toMatchObject({ code: 'model_bad_answer' });
    expect(sent).toBeLessThan(maxPieces);
  });

  it('also after its first words, and a long answer with much beside each word is read', async () => {
    const hello = eventStream([delta({ content: 'Hello' })], '');
    const endless = await ask((at) => (at === 0 ? hello : ': '.padEnd(65_536, '.') + '\n\n'));
    expect(endless).toMatchObject({ text: 'Hello', error: { code: 'model_bad_answer' } });
    const logprobs = { content: [{ token: 'word', logprob: -0.1, top_logprobs: 'x'.repeat(1_500) }] };
    const word = { choices: [{ index: 0, delta: { content: 'word' }, logprobs }] };
    const long = await ask(
      (at) =>
        eventStream(
          Array.from({ length: 40 }, () => word),
          at === 999 ? undefined : '',
        ),
      {
        pieces: 1_000,
      },
    );
    expect(long.error).toBeUndefined();
    expect(long.text).toHaveLength(160_000);
  });
});

it('lets other work run while pieces arrive faster than they are read', async () => {
  const piece = eventStream(
    Array.from({ length: 400 }, () => delta({ content: 'a' })),
    '',
  );
  const { turns } = await ask(() => piece, { pieces: 200 });
  // A turn for each 128 kB of 6.8 MB.
  expect(turns).toBeGreaterThan(40);
});

describe('an answer whose JSON would hold the process up is not parsed', () => {
  it.each([
    ['a million of objects', `{"choices":[{"delta":{"content":"x"}}],"z":[${'{},'.repeat(1_000_000)}{}]}`],
    ['deep lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('%s', async (_, json) => {
    for (const [text, contentType] of [
      [`data: ${json}\n\n`, 'text/event-stream'],
      [json, 'application/json'],
    ] as const) {
      expect((await ask(() => text, { contentType, pieces: 1 })).error).toMatchObject({ code: 'model_bad_answer' });
    }
  });

  it.each([
    ['many entries', `{"a":[${'{},'.repeat(300_000)}{}]}`],
    ['many levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('arguments of a call with %s', async (_, args) => {
    const call = eventStream([callDelta({ index: 0, id: 'a', name: 'f', arguments: args })]);
    expect((await ask(() => call, { pieces: 1 })).error).toMatchObject({ code: 'model_bad_answer' });
  });

  it('a long text full of brackets and commas is no such answer', async () => {
    const content = '[{"a":1},'.repeat(200_000);
    const { text, error } = await ask(() => eventStream([delta({ content })]), { pieces: 1 });
    expect(error).toBeUndefined();
    expect(text).toBe(content);
  });
});
