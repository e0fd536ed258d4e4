import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../llm/llm-client.ts';
import { findViolations, generatedTranscript } from '../testing/generated-transcripts.ts';
import { historyOf } from './history-of.ts';
import { prepareHistory as preparedHistory } from './history.ts';

const prepareHistory = (...given: Parameters<typeof preparedHistory>) => preparedHistory(...given).messages;

function exchange(id: string): LlmMessage[] {
  const toolCalls = [{ id, name: 'read_note', arguments: '{}' }];
  return [
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', callId: id, content: '{}' },
  ];
}

const userMessage = (content: string): LlmMessage => ({ role: 'user', content });

describe('history', () => {
  it('is valid for the strictest provider and has at most 20 messages, for any transcript', () => {
    for (let seed = 0; seed < 10_000; seed++) {
      const messages = prepareHistory([...generatedTranscript(seed), userMessage('Go on.')]);
      expect(findViolations(messages), `seed ${seed}`).toEqual([]);
      expect(messages[0]?.role, `seed ${seed}`).toBe('user');
      expect(messages.at(-1)).toEqual(userMessage('Go on.'));
      expect(messages.length).toBeLessThanOrEqual(20);
    }
  });

  it('is returned unchanged if it is valid', () => {
    const messages = [userMessage('a'), ...exchange('1'), ...exchange('2'), userMessage('b')];
    expect(prepareHistory(messages)).toEqual(messages);
  });

  it('is cut only between exchanges, down to half at once, with a note about omitted messages', () => {
    const turns = Array.from({ length: 12 }, (_, at) => [userMessage(`q${at}`), ...exchange(`c${at}`)]).flat();
    const cutAt = turns.map((_, at) => prepareHistory([...turns.slice(0, at + 1), userMessage('now')]));
    const beginnings = cutAt.map(([first]) => first?.content ?? '');
    // 36 messages arrive, and the beginning changes three times.
    expect(new Set(beginnings).size).toBeLessThanOrEqual(5);
    for (const messages of cutAt) {
      expect(messages.length).toBeLessThanOrEqual(20);
      expect(findViolations(messages)).toEqual([]);
    }
    expect(cutAt.at(-1)?.[0]?.content).toMatch(/^\[\d+ earlier messages left out:\n- Person: q0\n- read_note\(\) → /);
  });

  it('loses no id, no decision and no goal of the user by trimming', () => {
    const id = (at: number) => at.toString(16).padStart(24, '0');
    const call = (name: string, args: object, at: number, content: string): LlmMessage[] => [
      { role: 'assistant', content: '', toolCalls: [{ id: `c${at}`, name, arguments: JSON.stringify(args) }] },
      { role: 'tool', callId: `c${at}`, content },
    ];
    const turns = Array.from({ length: 15 }, (_, at) => [
      userMessage(`goal ${at}: read the totals`),
      ...call('get_ocr_text', {}, at * 2, JSON.stringify({ pages: [{ text: 'x'.repeat(5000) }] })),
      ...(at % 2 === 0
        ? call('create_schema', { name: `S${at}` }, at * 2 + 1, JSON.stringify({ schema_id: id(at), name: `S${at}` }))
        : call('delete_tag', { tag_id: id(at) }, at * 2 + 1, `User rejected this action. Reason: keep tag ${at}`)),
    ]).flat();
    const sent = JSON.stringify(prepareHistory([...turns, userMessage('now')]));
    expect(sent.length).toBeLessThan(JSON.stringify(turns).length / 2);
    for (let at = 0; at < 15; at++) {
      expect(sent).toContain(`goal ${at}: read the totals`);
      expect(sent).toContain(id(at));
      if (at % 2 === 1) expect(sent).toContain(`Reason: keep tag ${at}`);
    }
  });

  it('keeps the last message even if the limit is zero', () => {
    expect(prepareHistory([userMessage('a'), userMessage('b')], 0)).toEqual([userMessage('b')]);
  });

  it('has an error as the result of a call that was never run', () => {
    const messages = prepareHistory([userMessage('a'), exchange('1')[0]!, userMessage('b')]);
    expect(messages[2]).toEqual({ role: 'tool', callId: '1', content: '{"error":"This call was not run."}' });
  });
});

describe('messages of a client', () => {
  it('get new call ids, and each result belongs to the nearest earlier call', () => {
    const call = { id: 'x', type: 'function' as const, function: { name: 'read_note', arguments: '{}' } };
    const round = [
      { role: 'assistant' as const, content: null, tool_calls: [call] },
      { role: 'tool' as const, content: '1', tool_call_id: 'x' },
    ];
    const messages = historyOf([{ role: 'user', content: 'a' }, ...round, ...round]);
    expect(findViolations(messages)).toEqual([]);
    expect(JSON.stringify(messages)).not.toContain('"x"');
  });

  it('can have results and arguments that are nested too deeply to be read', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const call = { id: 'x', type: 'function' as const, function: { name: 'read_note', arguments: deep } };
    const round = [
      { role: 'user' as const, content: 'read it' },
      { role: 'assistant' as const, content: null, tool_calls: [call] },
      { role: 'tool' as const, content: deep, tool_call_id: 'x' },
    ];
    const messages = historyOf([...round, { role: 'user', content: 'more' }]);
    expect(prepareHistory(messages, 1_000).at(-1)).toEqual(userMessage('more'));
  });
});
