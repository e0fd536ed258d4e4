import { describe, expect, it } from 'vitest';
import { generatedTranscript } from '../../testing/generated-transcripts.ts';
import type { LlmAssistantMessage, LlmMessage, LlmToolCall } from '../llm-client.ts';
import { toWireMessages } from './message-conversion.ts';
import { dialectOf } from './provider-dialect.ts';

const call = (id: string, more: Partial<LlmToolCall> = {}): LlmToolCall => ({
  id,
  name: 'f',
  arguments: '{}',
  ...more,
});
const assistant = (more: Partial<LlmAssistantMessage>): LlmMessage => ({
  role: 'assistant',
  content: '',
  model: 'm',
  ...more,
});
const result = (callId: string): LlmMessage => ({ role: 'tool', callId, content: '1' });
const plain = dialectOf('http://localhost/v1', 'm');
const wire = (messages: LlmMessage[], model = 'm', dialect = plain) => toWireMessages(messages, model, dialect);

describe('call ids', () => {
  it('6: are the provider’s own, in calls and results', () => {
    const sent = wire([assistant({ toolCalls: [call('1', { providerId: 'call_a' })] }), result('1')]);
    expect(sent).toMatchObject([{ tool_calls: [{ id: 'call_a' }] }, { tool_call_id: 'call_a' }]);
  });

  it('6: are the provider’s for the first call and ours for repeated ids, so that earlier messages stay the same', () => {
    const round = (id: string) => [assistant({ toolCalls: [call(id, { providerId: 'call_0' })] }), result(id)];
    const sent = wire([...round('1'), ...round('2')]);
    expect(sent.map((message) => message.tool_calls?.[0]?.id ?? message.tool_call_id)).toEqual([
      'call_0',
      'call_0',
      '2',
      '2',
    ]);
  });

  it('8: keep a long id for its own model, and not for another', () => {
    const long = 's'.repeat(4572);
    const messages = [assistant({ toolCalls: [call('1', { providerId: long })] }), result('1')];
    expect(wire(messages)[1]?.tool_call_id).toBe(long);
    expect(wire(messages, 'other')[1]?.tool_call_id).toBe('1');
  });

  it('are unique and match their results, whatever ids providers send', () => {
    for (let seed = 0; seed < 500; seed++) {
      const calls = generatedTranscript(seed).flatMap((message) =>
        message.role === 'assistant' ? (message.toolCalls ?? []) : [],
      );
      const messages = calls.flatMap((each, at) => [
        assistant({ toolCalls: [{ ...each, id: `own${at}` }] }),
        result(`own${at}`),
      ]);
      const sent = wire(messages);
      const ids = sent.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
      expect(new Set(ids).size, `seed ${seed}`).toBe(calls.length);
      expect(sent.flatMap((message) => message.tool_call_id ?? [])).toEqual(ids);
    }
  });
});

describe('data that only the same model gets back', () => {
  const reasoning = [
    { kind: 'thinking', text: 'a', signature: 's1' },
    { kind: 'redacted', data: 'r' },
    { kind: 'thinking', text: 'unsigned' },
    { kind: 'thinking', text: '', signature: 's2' },
  ] as const;

  it('24 to 26: signed and redacted blocks in their order, unsigned ones never', () => {
    const messages = [assistant({ toolCalls: [call('1')], reasoning }), result('1')];
    expect(wire(messages)[0]?.thinking_blocks).toEqual([
      { type: 'thinking', thinking: 'a', signature: 's1' },
      { type: 'redacted_thinking', data: 'r' },
      { type: 'thinking', thinking: '', signature: 's2' },
    ]);
    expect(wire(messages, 'other')[0]).not.toHaveProperty('thinking_blocks');
  });

  it('27: has reasoning_content for DeepSeek, not for others', () => {
    const text = [{ kind: 'text', field: 'reasoning_content', text: 'Hm.' }] as const;
    const messages = [assistant({ model: 'deepseek-reasoner', content: 'Yes.', reasoning: text })];
    const dialect = dialectOf('https://api.deepseek.com', 'deepseek-reasoner');
    expect(wire(messages, 'deepseek-reasoner', dialect)[0]?.reasoning_content).toBe('Hm.');
    expect(wire(messages, 'deepseek-reasoner')[0]).not.toHaveProperty('reasoning_content');
  });

  it('28: has Gemini’s thought signature in extra_content', () => {
    const extraContent = { google: { thought_signature: 'sig' } };
    const messages = [assistant({ toolCalls: [call('1', { extraContent })] }), result('1')];
    expect(wire(messages)[0]?.tool_calls?.[0]?.extra_content).toEqual(extraContent);
    expect(wire(messages, 'other')[0]?.tool_calls?.[0]).not.toHaveProperty('extra_content');
  });
});

describe('an assistant message without text', () => {
  it.each([
    ['http://localhost:11434/v1', 'qwen3', ''],
    ['http://localhost:1234/v1', 'llama', ''],
    ['http://litellm:4000', 'bedrock/anthropic.claude-v4', null],
    ['https://api.anthropic.com/v1', 'opus', null],
  ])('29: for %s and %s has the content %j', (baseUrl, model, content) => {
    const messages = [assistant({ toolCalls: [call('1')] }), result('1')];
    expect(wire(messages, model, dialectOf(baseUrl, model))[0]?.content).toBe(content);
  });

  it('30: and without calls is dropped', () => {
    expect(wire([{ role: 'user', content: 'a' }, assistant({}), assistant({ toolCalls: [] })])).toHaveLength(1);
  });
});

it('sends the images of results in a user message behind all results of the answer', () => {
  const sent = wire([
    assistant({ toolCalls: [call('1'), call('2')] }),
    { role: 'tool', callId: '1', content: '{}', images: ['data:image/png;base64,AA'] },
    result('2'),
    { role: 'user', content: 'Go on.' },
  ]);
  expect(sent.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user', 'user']);
  expect(sent[3]?.content).toEqual([
    { type: 'text', text: expect.stringContaining('images of the results above') },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
  ]);
});
