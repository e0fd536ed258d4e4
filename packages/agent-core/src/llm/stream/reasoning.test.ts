import { describe, expect, it } from 'vitest';
import { delta } from '../../testing/recorded-fetch.ts';
import { AnswerAccumulator } from './answer-accumulator.ts';
import type { CompletionChunk } from './completion-chunk.ts';

function read(deltas: readonly Record<string, unknown>[]) {
  const accumulator = new AnswerAccumulator(() => false);
  const emitted = deltas.flatMap((content) => accumulator.add(delta(content) as CompletionChunk));
  const { reasoning, content } = accumulator.finish(true).answer;
  const thought = emitted.map(({ type, text }) => (type === 'thinking_delta' ? text : '')).join('');
  return { reasoning, content, thought };
}

const thinking = (text: string, signature?: string | null) => ({
  thinking_blocks: [{ type: 'thinking', thinking: text, ...(signature === undefined ? {} : { signature }) }],
});

describe('reasoning', () => {
  it.each(['reasoning_content', 'reasoning'] as const)('24: in %s is shown and stored as unsigned text', (field) => {
    const { reasoning, content, thought } = read([{ [field]: 'Let me ' }, { [field]: 'see.' }, { content: 'Yes.' }]);
    expect(reasoning).toEqual([{ kind: 'text', field, text: 'Let me see.' }]);
    expect([thought, content]).toEqual(['Let me see.', 'Yes.']);
  });

  it('24: with the same text in two fields counts once', () => {
    expect(read([{ reasoning_content: 'Hm.', reasoning: 'Hm.' }]).thought).toBe('Hm.');
    expect(read([{ reasoning_content: 'Hm.', ...thinking('Hm.', null) }]).thought).toBe('Hm.');
  });

  it('24: in reasoning_details is shown if no other field has it', () => {
    const details = [
      { type: 'reasoning.summary', summary: 'Let me ' },
      { type: 'reasoning.text', text: 'see.', signature: null },
      { type: 'reasoning.encrypted', data: 'AAAA' },
    ];
    const { reasoning, thought } = read([{ reasoning_details: details }, { content: 'Yes.' }]);
    expect(reasoning).toEqual(details.map((detail) => ({ kind: 'detail', detail })));
    expect(thought).toBe('Let me see.');
    expect(read([{ reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }]).thought).toBe(
      'Hm.',
    );
  });

  it('is empty if its fields are empty or null, and leaves the text beside them unchanged', () => {
    const empty = { reasoning_content: '', reasoning: null, thinking_blocks: [], reasoning_details: null };
    expect(
      read([
        { ...empty, content: '' },
        { ...empty, content: 'Yes.' },
        { ...empty, content: null },
      ]),
    ).toEqual({
      reasoning: [],
      content: 'Yes.',
      thought: '',
    });
  });

  it('24: is closed by a signature in a later delta', () => {
    const { reasoning, thought } = read([thinking('Let me ', null), thinking('see.'), thinking('', 'sig')]);
    expect(reasoning).toEqual([{ kind: 'thinking', text: 'Let me see.', signature: 'sig' }]);
    expect(thought).toBe('Let me see.');
  });

  it('24: in reasoning_content is closed by a signature that follows alone', () => {
    const { reasoning } = read([{ reasoning_content: 'Hm.' }, thinking('', 'sig')]);
    expect(reasoning).toEqual([{ kind: 'thinking', text: 'Hm.', signature: 'sig' }]);
  });

  it('24: without a signature stays unsigned', () => {
    expect(read([thinking('Hm.')]).reasoning).toEqual([{ kind: 'thinking', text: 'Hm.' }]);
  });

  it('25: keeps the order of signature-only and redacted blocks', () => {
    const redacted = (data: string) => ({ thinking_blocks: [{ type: 'redacted_thinking', data }] });
    const { reasoning } = read([
      thinking('one', 's1'),
      redacted('r1'),
      thinking('', 's2'),
      thinking('two'),
      thinking('', 's3'),
      redacted('r2'),
    ]);
    expect(reasoning).toEqual([
      { kind: 'thinking', text: 'one', signature: 's1' },
      { kind: 'redacted', data: 'r1' },
      { kind: 'thinking', text: '', signature: 's2' },
      { kind: 'thinking', text: 'two', signature: 's3' },
      { kind: 'redacted', data: 'r2' },
    ]);
  });

  it('25: counts a repeated block once', () => {
    expect(read([thinking('one'), thinking('', 's1'), thinking('one', 's1')])).toMatchObject({
      reasoning: [{ text: 'one', signature: 's1' }],
      thought: 'one',
    });
  });

  it('16: can be a part of the content', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Yes' },
    ];
    const { reasoning, content, thought } = read([{ content: parts }, { content: [{ type: 'text', text: '.' }] }]);
    expect([thought, content]).toEqual(['Hm.', 'Yes.']);
    expect(reasoning).toHaveLength(1);
  });

  it('28: of Gemini is stored with its call in extraContent', () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const accumulator = new AnswerAccumulator(() => false);
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' }, extra_content };
    accumulator.add(delta({ tool_calls: [call] }) as CompletionChunk);
    expect(accumulator.finish(true).answer.toolCalls).toMatchObject([{ extraContent: extra_content }]);
  });

  it('24: in a signed block that repeats the open one replaces it', () => {
    const { reasoning, thought } = read([thinking('Let me '), thinking('see.'), thinking('Let me see.', 's1')]);
    expect(reasoning).toEqual([{ kind: 'thinking', text: 'Let me see.', signature: 's1' }]);
    expect(thought).toBe('Let me see.');
  });
});
