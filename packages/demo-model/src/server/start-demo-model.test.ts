import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { englishInvoice } from '../testing/sample-pages.ts';
import { type DemoModel, startDemoModel } from './start-demo-model.ts';

let model: DemoModel;
beforeAll(async () => {
  model = await startDemoModel({ chunkDelayMs: 0, bodyLimitBytes: 200_000 });
});
afterAll(() => model.close());

const document = `<document name="a.pdf" pages="1">\n<page number="1">\n${englishInvoice}\n</page>\n</document>`;
const tools = ['help_schemas', 'list_schemas', 'list_tags'].map((name) => ({
  type: 'function',
  function: { name, parameters: {} },
}));
const listing = { model: 'demo-rules-1', messages: [{ role: 'user', content: 'list schemas and tags' }], tools };

function post(body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${model.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
}

interface Chunk {
  choices: {
    delta: {
      role?: string;
      content?: string;
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: { total_tokens: number } | null;
}

async function stream(body: object): Promise<Chunk[]> {
  const text = await (await post({ ...body, stream: true })).text();
  const events = text.split('\n\n').filter((event) => event !== '');
  expect(events.at(-1)).toBe('data: [DONE]');
  return events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /u, '')) as Chunk);
}

describe('models', () => {
  it('describes itself as rules and not a language model', async () => {
    const { data } = (await (await fetch(`${model.baseUrl}/models`)).json()) as { data: object[] };
    expect(data).toEqual([
      expect.objectContaining({
        id: 'demo-rules-1',
        object: 'model',
        description: expect.stringContaining('not a language model'),
      }),
    ]);
  });

  it('listens on loopback only', async () => {
    expect(new URL(model.baseUrl).hostname).toBe('127.0.0.1');
    await expect(startDemoModel({ host: '0.0.0.0' as '127.0.0.1' })).rejects.toThrow('loopback');
  });
});

describe('chat completions', () => {
  it('makes parallel calls with different ids', async () => {
    const body = (await (await post(listing)).json()) as {
      choices: { message: { tool_calls: { id: string; function: { name: string } }[] }; finish_reason: string }[];
    };
    const [choice] = body.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.tool_calls.map((call) => call.function.name)).toEqual(['list_schemas', 'list_tags']);
    expect(new Set(choice?.message.tool_calls.map((call) => call.id)).size).toBe(2);
  });

  it('makes one call when parallel calls are switched off, none for `none`, and the one that `tool_choice` names', async () => {
    const calls = async (more: object) => {
      const body = (await (await post({ ...listing, ...more })).json()) as {
        choices: { message: { tool_calls?: { function: { name: string } }[] } }[];
      };
      return body.choices[0]?.message.tool_calls?.map((call) => call.function.name) ?? [];
    };
    expect(await calls({ parallel_tool_calls: false })).toEqual(['list_schemas']);
    expect(await calls({ tool_choice: 'none' })).toEqual([]);
    expect(await calls({ tool_choice: { type: 'function', function: { name: 'help_schemas' } } })).toEqual([
      'help_schemas',
    ]);
  });

  it('streams role, arguments in pieces, finish reason and usage', async () => {
    const chunks = await stream({ ...listing, stream_options: { include_usage: true } });
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    const named = deltas.filter((delta) => delta.id !== undefined);
    expect(named.map(({ index, function: { name } }) => [index, name])).toEqual([
      [0, 'list_schemas'],
      [1, 'list_tags'],
    ]);
    const args = [0, 1].map((index) =>
      deltas
        .filter((delta) => delta.index === index)
        .map((delta) => delta.function.arguments)
        .join(''),
    );
    expect(args).toEqual(['{"limit":100}', '{"limit":100}']);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  });

  it('streams text in pieces that form the whole text', async () => {
    const request = { model: 'demo-rules-1', messages: [{ role: 'user', content: 'hello' }] };
    const chunks = await stream(request);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    const whole = (await (await post(request)).json()) as { choices: { message: { content: string } }[] };
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(chunks.length).toBeGreaterThan(20);
  });

  it('fills a schema, and leaves values empty that a repair request names', async () => {
    const properties = { total: { type: ['number', 'null'] }, due_date: { type: ['string', 'null'] } };
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'a', strict: true, schema: { type: 'object', properties } },
    };
    const messages = [
      { role: 'system', content: 'Extract.' },
      { role: 'user', content: `Read it.\n\n${document}` },
    ];
    const content = async (all: object[]) => {
      const body = (await (await post({ model: 'demo-rules-1', messages: all, response_format })).json()) as {
        choices: { message: { content: string } }[];
      };
      return JSON.parse(body.choices[0]?.message.content ?? '') as unknown;
    };
    expect(await content(messages)).toEqual({ total: 1480.5, due_date: '2025-03-05' });
    const repair = [
      { role: 'assistant', content: '{}' },
      { role: 'user', content: 'The answer does not fit the schema:\ndue_date: must match pattern' },
    ];
    expect(await content([...messages, ...repair])).toEqual({ total: 1480.5, due_date: null });
  });

  it('returns the fields that it finds as a JSON object when the request has no schema', async () => {
    const body = (await (
      await post({
        model: 'demo-rules-1',
        messages: [{ role: 'user', content: document }],
        response_format: { type: 'json_object' },
      })
    ).json()) as { choices: { message: { content: string } }[] };
    expect(JSON.parse(body.choices[0]?.message.content ?? '')).toMatchObject({
      total: 1480.5,
      seller_name: 'Hartley & Moss Ltd',
    });
  });

  it('returns the probability of each value as that of its token, streamed or not, only on request', async () => {
    const schema = { type: 'object', properties: { total: { type: 'number' }, seller_name: { type: 'string' } } };
    const asked = {
      model: 'demo-rules-1',
      messages: [{ role: 'user', content: document }],
      response_format: { type: 'json_schema', json_schema: { schema } },
    };
    type Tokens = { content: { token: string; logprob: number }[] } | null;
    const answer = async (body: object): Promise<{ message: { content: string }; logprobs: Tokens }> =>
      ((await (await post(body)).json()) as { choices: [{ message: { content: string }; logprobs: Tokens }] })
        .choices[0];
    const { message, logprobs } = await answer({ ...asked, logprobs: true });
    expect(logprobs!.content.map(({ token }) => token).join('')).toBe(message.content);
    const total = logprobs!.content.find(({ token }) => token === '1480.5')!;
    const seller = logprobs!.content.find(({ token }) => token.includes('Hartley'))!;
    expect(Math.exp(total.logprob)).toBeGreaterThan(Math.exp(seller.logprob));
    expect(Math.exp(seller.logprob)).toBeGreaterThan(0.6);
    expect((await answer(asked)).logprobs).toBeNull();
    const streamed = (await stream({ ...asked, logprobs: true })) as { choices: { logprobs?: Tokens }[] }[];
    expect(streamed.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? [])).toEqual(logprobs!.content);
  });

  it('returns the same bytes for the same request', async () => {
    const [first, second] = await Promise.all([post(listing), post(listing)]);
    expect(await first.text()).toBe(await second.text());
  });
});

describe('errors', () => {
  it.each([
    ['no JSON', '{', 400, 'invalid_json'],
    ['no messages', { model: 'demo-rules-1' }, 400, 'invalid_request'],
    ['messages of the wrong shape', { model: 'demo-rules-1', messages: [{ role: 'nobody' }] }, 400, 'invalid_request'],
    ['another model', { model: 'gpt-9', messages: [{ role: 'user', content: 'hi' }] }, 404, 'model_not_found'],
    ['a body beyond the limit', 'x'.repeat(300_000), 413, 'request_too_large'],
  ])('%s', async (_, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code, message: expect.any(String), type: 'invalid_request_error' },
    });
  });

  it('an unknown path', async () => {
    expect((await fetch(`${model.baseUrl}/embeddings`, { method: 'POST' })).status).toBe(404);
  });
});
