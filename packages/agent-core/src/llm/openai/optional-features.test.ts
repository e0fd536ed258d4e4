import type { RequestPart } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { delta, eventStream, createRecordedFetch, stop, type RecordedAnswer } from '../../testing/recorded-fetch.ts';
import { completeText } from '../complete-text.ts';
import type { LlmRequest, ModelDialect } from '../llm-client.ts';
import { completionRequest } from './completion-request.ts';
import { createOpenAiLlmClient } from './openai-llm-client.ts';

const schema = { type: 'object', properties: { total: { type: 'number' } } };
const responseFormat = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
const image = 'data:image/png;base64,iVBORw0KGgo=';
const request: LlmRequest = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Extract.' },
    { role: 'user', content: 'Total 5', images: [image] },
  ],
  temperature: 0,
  logprobs: true,
  responseFormat,
};
const done: RecordedAnswer = { body: eventStream([delta({ content: '{"total":5}' }), stop]) };
const refusal = (message: string): RecordedAnswer => ({ status: 400, body: JSON.stringify({ error: { message } }) });

async function ask(answers: readonly RecordedAnswer[], times = 1) {
  const { fetch, requests } = createRecordedFetch(answers);
  const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] });
  for (let at = 0; at < times; at++) expect((await completeText(llm, request)).text).toBe('{"total":5}');
  return requests;
}

describe('an endpoint that refuses an optional feature', () => {
  it.each<[string, string, (sent: Record<string, unknown>) => unknown]>([
    [
      'temperature',
      "Unsupported value: 'temperature' does not support 0 with this model.",
      (sent) => sent['temperature'],
    ],
    ['logprobs', 'logprobs are not available for this model', (sent) => sent['logprobs']],
    ['an unknown argument', 'Unrecognized request argument supplied', (sent) => sent['logprobs']],
    ['strict schemas', 'response_format of type json_schema is not supported', (sent) => sent['response_format']],
    [
      'images',
      'This model does not support image_url content.',
      (sent) => JSON.stringify(sent).includes(image) || undefined,
    ],
  ])('gets the request again without it, and all later requests: %s', async (_, message, part) => {
    const sent = await ask([refusal(message), done, done], 2);
    expect(sent.map((each) => part(each) !== undefined)).toEqual([true, false, false]);
  });

  it('gets the request again without logprobs if its error names them', async () => {
    const sent = await ask([{ ...refusal('LogProbs unsupported by the engine'), status: 500 }, done]);
    expect(sent.map((each) => each['logprobs'])).toEqual([true, undefined]);
  });

  it('gets the schema in the prompt if it does not enforce it', async () => {
    const [, second] = await ask([refusal('json_schema is not supported'), done]);
    expect(JSON.stringify(second?.['messages'])).toContain('fits this JSON schema');
  });

  it('gets no second request after another refusal', async () => {
    const { fetch, requests } = createRecordedFetch([refusal('messages: invalid role')]);
    const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] });
    await expect(completeText(llm, request)).rejects.toMatchObject({ code: 'model_refused' });
    expect(requests).toHaveLength(1);
  });
});

describe('an endpoint that refuses a form that chats need', () => {
  const chat: LlmRequest = {
    model: 'm',
    messages: [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Which tags?' },
      { role: 'assistant', content: '', model: 'm', toolCalls: [{ id: '1', name: 'list_tags', arguments: '{}' }] },
      { role: 'tool', callId: '1', content: '[]' },
      { role: 'system', content: 'State.' },
    ],
    tools: [{ type: 'function', function: { name: 'list_tags', description: 'Lists tags.', parameters: {} } }],
  };

  async function send(messages: readonly string[], answer = 'Yes.') {
    const last: RecordedAnswer = { body: eventStream([delta({ content: answer }), stop]) };
    const { fetch, requests } = createRecordedFetch([...messages.map(refusal), last, last]);
    const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] });
    const calls = [];
    for (let at = 0; at < 2; at++)
      for await (const chunks of llm.stream(chat))
        for (const chunk of chunks) if (chunk.type === 'finish') calls.push(...chunk.answer.toolCalls);
    return { sent: requests as { [key: string]: unknown; messages: { role: string; content: string }[] }[], calls };
  }

  it('gets no stream_options', async () => {
    const { sent } = await send(['Unknown parameter: stream_options']);
    expect(sent.map((each) => each['stream_options'] !== undefined)).toEqual([true, false, false]);
  });

  it.each(['System message must be at the beginning.', 'Conversation roles must alternate user/assistant'])(
    'gets the last message from the user: %s',
    async (message) => {
      const { sent } = await send([message]);
      expect(sent.map((each) => each.messages.at(-1)?.role)).toEqual(['system', 'user', 'user']);
    },
  );

  it.each([
    'registry.ollama.ai/library/gemma3 does not support tools',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ])('gets the tools as text, and its written calls are calls: %s', async (message) => {
    const { sent, calls } = await send([message], '<tool_call>{"name":"list_tags","arguments":{}}</tool_call>');
    expect(sent.map((each) => each['tools'] !== undefined)).toEqual([true, false, false]);
    expect(sent[1]?.messages.map(({ role }) => role)).not.toContain('tool');
    expect(sent[1]?.messages[0]?.content).toContain('"name":"list_tags"');
    expect(calls).toEqual(Array.from({ length: 2 }, () => ({ name: 'list_tags', arguments: '{}' })));
  });

  it('is remembered in the memory of the request, with its words unless they repeat the request', async () => {
    const told: unknown[] = [];
    const refused = new Set<RequestPart>();
    const dialect: ModelDialect = {
      refused,
      remember: (parts) => parts.forEach((part) => (told.push([part.refused, part.reason]), refused.add(part.refused))),
    };
    const secret = 'The text of a page that nobody else may read.';
    const messages = [...chat.messages.slice(0, 4), { role: 'system' as const, content: secret }];
    const answers = [
      refusal('m does not support tools'),
      refusal(`System message must be at the beginning: ${secret}`),
      done,
      done,
    ];
    const { fetch, requests } = createRecordedFetch(answers);
    const options = { baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] };
    await completeText(createOpenAiLlmClient(options), { ...chat, messages, dialect });
    // Another process, which reads the same memory.
    await completeText(createOpenAiLlmClient(options), { ...chat, messages, dialect });
    expect(requests).toHaveLength(4);
    expect(told).toEqual([
      ['tools', 'm does not support tools'],
      ['system_tail', null],
    ]);
  });

  it('is forgotten if the plainer form fails as well', async () => {
    const { fetch, requests } = createRecordedFetch([
      refusal('m does not support tools'),
      refusal('the request is malformed'),
      done,
    ]);
    const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] });
    await expect(completeText(llm, chat)).rejects.toThrow();
    await completeText(llm, chat);
    expect(requests.map((sent) => sent['tools'] !== undefined)).toEqual([true, false, true]);
  });

  it('gets each plainer form once', async () => {
    const { sent } = await send(['Unknown parameter: stream_options', 'm does not support tools']);
    expect(sent).toHaveLength(4);
  });
});

describe('a request for a kind of provider', () => {
  const body = (kind: 'openai' | 'anthropic' | 'deepseek' | 'mistral', over: Partial<LlmRequest> = {}) =>
    JSON.parse(completionRequest({ ...request, ...over }, 'https://proxy.test/v1', kind)) as Record<string, unknown> & {
      messages: { role: string; content: unknown }[];
      tools?: Record<string, unknown>[];
    };

  it('marks the ends of tools, system message and history for providers that cache by marks', () => {
    const tools = ['a', 'b'].map((name) => ({
      type: 'function' as const,
      function: { name, description: '', parameters: {} },
    }));
    const messages: LlmRequest['messages'] = [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Go on.' },
      { role: 'system', content: 'State.' },
    ];
    const marked = body('anthropic', { tools, messages });
    expect(marked.tools?.map((tool) => 'cache_control' in tool)).toEqual([false, true]);
    expect(marked.messages.map(({ content }) => JSON.stringify(content).includes('cache_control'))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(JSON.stringify(body('openai', { tools, messages }))).not.toContain('cache_control');
  });

  it('enforces a schema if the kind supports it', () => {
    expect(body('openai').response_format).toEqual(responseFormat);
    expect(body('deepseek').response_format).toEqual({ type: 'json_object' });
    expect(body('anthropic').response_format).toBeUndefined();
    expect(JSON.stringify(body('anthropic').messages)).toContain('fits this JSON schema');
  });

  it('sends the tail with the role user if only the first message can be a system message', () => {
    const messages: LlmRequest['messages'] = [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Hi.' },
      { role: 'system', content: 'State.' },
    ];
    expect(body('mistral', { messages }).messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  });

  it.each(['anthropic', 'bedrock', 'gemini'] as const)(
    'sends the tail with the role user if a proxy moves system messages to the front (%s)',
    (kind) => {
      const messages: LlmRequest['messages'] = [
        { role: 'system', content: 'Rules.' },
        { role: 'user', content: 'Hi.' },
        { role: 'system', content: 'State.' },
      ];
      const sent = JSON.parse(completionRequest({ ...request, messages }, 'https://proxy.test/v1', kind)) as {
        messages: { role: string; content: unknown }[];
      };
      expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
      expect(JSON.stringify(sent.messages[2]?.content)).toContain('not from the person: where things stand]\\nState.');
    },
  );

  it('sends no temperature to models that reason', () => {
    expect(completionRequest({ ...request, model: 'o3-mini' }, 'https://proxy.test/v1')).not.toContain('temperature');
  });
});

describe('an endpoint with unknown support of images', () => {
  const failing = (status: number): RecordedAnswer => ({
    status,
    body: JSON.stringify({ error: { message: 'broken' } }),
  });
  const probing = (answers: readonly RecordedAnswer[]) => {
    const { fetch, requests } = createRecordedFetch(answers);
    const refusals: string[] = [];
    const onImagesRefused = (model: string) => void refusals.push(model);
    const options = { baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [], probesImages: true, onImagesRefused };
    const llm = createOpenAiLlmClient(options);
    const shown = () => requests.map((sent) => JSON.stringify(sent).includes(image));
    return { ask: () => completeText(llm, request), shown, refusals };
  };

  it.each([400, 404, 500])('gets no more images after it has failed on one with status %s', async (status) => {
    const { ask, shown, refusals } = probing([failing(status), done, done]);
    await ask();
    await ask();
    expect(shown()).toEqual([true, false, false]);
    expect(refusals).toEqual(['m']);
  });

  it('is told in the results of tools that nothing was shown, and its answer says that it saw nothing', async () => {
    const messages: LlmRequest['messages'] = [
      ...request.messages.slice(0, 1),
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'view_page', arguments: '{}' }] },
      { role: 'tool', callId: '1', content: '{"page_num":1,"shown":true}', images: [image] },
    ];
    const { fetch, requests } = createRecordedFetch([refusal('This model takes no image_url.'), done, done]);
    const llm = createOpenAiLlmClient({ baseUrl: 'http://model.test/v1', fetch, retryPausesMs: [] });
    expect((await completeText(llm, { model: 'm', messages })).imagesLeftOut).toBe(true);
    expect(JSON.stringify(requests[1])).not.toContain('shown\\":true');
    const text = await completeText(llm, { model: 'm', messages: messages.slice(0, 1) });
    expect(text).not.toHaveProperty('imagesLeftOut');
  });

  it('still gets images if it fails without them as well', async () => {
    const { ask, shown, refusals } = probing([failing(400), failing(400), done, failing(400)]);
    await expect(ask()).rejects.toThrow();
    await ask();
    expect(shown()).toEqual([true, false, true]);
    expect(refusals).toEqual([]);
    // It has accepted an image: a later failure has another reason.
    await expect(ask()).rejects.toThrow();
  });
});
