import type { ProviderKind, ReasoningLevel } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { createRecordedFetch, delta, eventStream, stop, type RecordedAnswer } from '../../testing/recorded-fetch.ts';
import { completeText } from '../complete-text.ts';
import type { LlmMessage, LlmRequest } from '../llm-client.ts';
import { completionRequest } from './completion-request.ts';
import { createOpenAiLlmClient } from './openai-llm-client.ts';

const messages: LlmMessage[] = [
  { role: 'system', content: 'Rules.' },
  { role: 'user', content: 'Think about it.' },
];
const done: RecordedAnswer = { body: eventStream([delta({ content: 'Yes.' }), stop]) };
const refusal = (message: string): RecordedAnswer => ({ status: 400, body: JSON.stringify({ error: { message } }) });

function bodyOf(baseUrl: string, over: Partial<LlmRequest>, kind?: ProviderKind): Record<string, unknown> {
  return JSON.parse(completionRequest({ model: 'm', messages, ...over }, baseUrl, kind)) as Record<string, unknown>;
}

describe('the wish how much to think', () => {
  it.each<[string, ProviderKind | undefined, string, ReasoningLevel, Record<string, unknown>]>([
    ['https://api.openai.com/v1', undefined, 'gpt-5', 'high', { reasoning_effort: 'high' }],
    ['https://api.openai.com/v1', undefined, 'gpt-5', 'off', { reasoning_effort: 'none' }],
    [
      'https://api.anthropic.com/v1',
      undefined,
      'claude-sonnet',
      'low',
      { thinking: { type: 'enabled', budget_tokens: 2048 }, max_tokens: 18_432 },
    ],
    ['https://api.anthropic.com/v1', undefined, 'claude-sonnet', 'off', { thinking: { type: 'disabled' } }],
    [
      'https://proxy.test/v1',
      'bedrock',
      'm',
      'medium',
      { thinking: { type: 'enabled', budget_tokens: 8192 }, max_tokens: 24_576 },
    ],
    ['http://litellm.test:4000/v1', undefined, 'claude-sonnet', 'medium', { reasoning_effort: 'medium' }],
    ['https://openrouter.ai/api/v1', undefined, 'anthropic/claude-sonnet', 'low', { reasoning: { effort: 'low' } }],
    ['https://openrouter.ai/api/v1', undefined, 'anthropic/claude-sonnet', 'off', { reasoning: { enabled: false } }],
    [
      'https://api.deepseek.com/v1',
      undefined,
      'deepseek-chat',
      'high',
      { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    ],
  ])('is sent to %s (kind %s) for %s at level %s', (baseUrl, kind, model, reasoning, fields) => {
    const all = ['thinking', 'max_tokens', 'reasoning_effort', 'reasoning'];
    const sent = bodyOf(baseUrl, { model, reasoning }, kind);
    expect(Object.fromEntries(all.filter((name) => name in sent).map((name) => [name, sent[name]]))).toEqual(fields);
    expect(Object.keys(bodyOf(baseUrl, { model }, kind)).filter((name) => all.includes(name))).toEqual([]);
  });

  it('leaves out what a thinking model refuses', () => {
    const sent = (reasoning: ReasoningLevel) =>
      bodyOf('http://m.test/v1', { reasoning, temperature: 0, logprobs: true });
    expect(sent('low')).not.toHaveProperty('temperature');
    expect(sent('low')).not.toHaveProperty('logprobs');
    expect(sent('off')).toMatchObject({ temperature: 0, logprobs: true });
  });

  it.each<[string, ReasoningLevel, string, readonly string[], readonly unknown[]]>([
    [
      'https://api.anthropic.com/v1',
      'high',
      'claude-sonnet',
      ['"thinking.type.enabled" is not supported for this model.'],
      [{ type: 'enabled', budget_tokens: 16_384 }, 'high', 'high'],
    ],
    [
      'https://api.openai.com/v1',
      'off',
      'gpt-5',
      ["Unsupported value: 'reasoning_effort' does not support 'none' with this model."],
      ['none', 'minimal', 'minimal'],
    ],
    ['http://vllm.test/v1', 'low', 'm', ['Unrecognized request argument supplied'], ['low', undefined, undefined]],
    [
      'https://openrouter.ai/api/v1',
      'low',
      'm',
      ['reasoning is not supported'],
      [{ effort: 'low' }, undefined, undefined],
    ],
  ])('gets its plainer form once where %s refuses it', async (baseUrl, reasoning, model, refusals, forms) => {
    const { fetch, requests } = createRecordedFetch([...refusals.map(refusal), done, done]);
    const llm = createOpenAiLlmClient({ baseUrl, fetch, retryPausesMs: [] });
    for (let at = 0; at < 2; at++) await completeText(llm, { model, messages, reasoning });
    expect(requests.map((sent) => sent['thinking'] ?? sent['reasoning_effort'] ?? sent['reasoning'])).toEqual(forms);
  });

  it('is not given up because of the thinking of an earlier message', async () => {
    const { fetch, requests } = createRecordedFetch([refusal('messages.1: Invalid `signature` in `thinking` block')]);
    const llm = createOpenAiLlmClient({ baseUrl: 'https://api.anthropic.com/v1', fetch, retryPausesMs: [] });
    await expect(completeText(llm, { model: 'claude', messages, reasoning: 'low' })).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });
});

it('does not ask Claude to think in the middle of calls that were made without signed thinking', () => {
  const within = (over: Partial<Extract<LlmMessage, { role: 'assistant' }>>): LlmMessage[] => [
    ...messages,
    { role: 'assistant', content: '', model: 'claude', toolCalls: [{ id: '1', name: 'x', arguments: '{}' }], ...over },
    { role: 'tool', callId: '1', content: 'done' },
    { role: 'system', content: 'State.' },
  ];
  const asks = (over: Parameters<typeof within>[0]) =>
    'thinking' in bodyOf('https://api.anthropic.com/v1', { model: 'claude', messages: within(over), reasoning: 'low' });
  const reasoning = [{ kind: 'thinking', text: 'Hm.', signature: 's' }] as const;
  expect(asks({})).toBe(false);
  expect(asks({ reasoning })).toBe(true);
  expect(asks({ reasoning, model: 'another' })).toBe(false);
});

it('sends the thinking of OpenRouter back as it came', async () => {
  const piece = (detail: Record<string, unknown>) =>
    delta({ reasoning: detail['text'], reasoning_details: [{ type: 'reasoning.text', index: 0, ...detail }] });
  const encrypted = { type: 'reasoning.encrypted', data: 'AAAA', id: 'r1', format: 'google-gemini-v1', index: 1 };
  const { fetch, requests } = createRecordedFetch([
    {
      body: eventStream([
        piece({ text: 'Let me ', format: 'anthropic-claude-v1' }),
        piece({ text: 'see.' }),
        piece({ text: '', signature: 'sig' }),
        delta({ reasoning_details: [encrypted] }),
        delta({ content: 'Yes.' }),
        stop,
      ]),
    },
    done,
  ]);
  const llm = createOpenAiLlmClient({ baseUrl: 'https://openrouter.ai/api/v1', fetch });
  let thought = '';
  let history = messages;
  for await (const chunks of llm.stream({ model: 'm', messages }))
    for (const chunk of chunks) {
      if (chunk.type === 'thinking_delta') thought += chunk.text;
      if (chunk.type !== 'finish') continue;
      const { content, reasoning } = chunk.answer;
      history = [
        ...messages,
        { role: 'assistant', content, reasoning, model: 'm' },
        { role: 'user', content: 'Go on.' },
      ];
    }
  await completeText(llm, { model: 'm', messages: history });
  expect(thought).toBe('Let me see.');
  const sent = requests[1]?.['messages'] as { reasoning_details?: unknown }[];
  const whole = {
    type: 'reasoning.text',
    index: 0,
    text: 'Let me see.',
    signature: 'sig',
    format: 'anthropic-claude-v1',
  };
  expect(sent[2]?.reasoning_details).toEqual([whole, encrypted]);
});
