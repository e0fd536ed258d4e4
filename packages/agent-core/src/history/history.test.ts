import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../llm/llm-client.ts';
import { complaints, generatedTranscript } from '../testing/generated-transcripts.ts';
import { historyOf } from './history-of.ts';
import { prepareHistory } from './history.ts';

function exchange(id: string): LlmMessage[] {
  const toolCalls = [{ id, name: 'read_note', arguments: '{}' }];
  return [
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', callId: id, content: '{}' },
  ];
}

const said = (content: string): LlmMessage => ({ role: 'user', content });

describe('history', () => {
  it('is valid for the strictest provider, whatever the transcript, and at most 20 messages', () => {
    for (let seed = 0; seed < 10_000; seed++) {
      const messages = prepareHistory([...generatedTranscript(seed), said('Go on.')]);
      expect(complaints(messages), `seed ${seed}`).toEqual([]);
      expect(messages[0]?.role, `seed ${seed}`).toBe('user');
      expect(messages.at(-1)).toEqual(said('Go on.'));
      expect(messages.length).toBeLessThanOrEqual(20);
    }
  });

  it('leaves a valid one as it is', () => {
    const messages = [said('a'), ...exchange('1'), ...exchange('2'), said('b')];
    expect(prepareHistory(messages)).toEqual(messages);
  });

  it('is cut only between whole exchanges, down to half at once, and names what is left out', () => {
    const turns = Array.from({ length: 12 }, (_, at) => [said(`q${at}`), ...exchange(`c${at}`)]).flat();
    const cutAt = turns.map((_, at) => prepareHistory([...turns.slice(0, at + 1), said('now')]));
    const beginnings = cutAt.map(([first]) => first?.content ?? '');
    // 36 messages come, and the beginning changes three times.
    expect(new Set(beginnings).size).toBeLessThanOrEqual(5);
    for (const messages of cutAt) {
      expect(messages.length).toBeLessThanOrEqual(20);
      expect(complaints(messages)).toEqual([]);
    }
    expect(cutAt.at(-1)?.[0]?.content).toMatch(/^\[\d+ earlier messages left out:\n- Person: q0\n- read_note\(\) → /);
  });

  it('loses no id, no decision and no goal of the person by trimming', () => {
    const id = (at: number) => at.toString(16).padStart(24, '0');
    const call = (name: string, args: object, at: number, content: string): LlmMessage[] => [
      { role: 'assistant', content: '', toolCalls: [{ id: `c${at}`, name, arguments: JSON.stringify(args) }] },
      { role: 'tool', callId: `c${at}`, content },
    ];
    const turns = Array.from({ length: 15 }, (_, at) => [
      said(`goal ${at}: read the totals`),
      ...call('get_ocr_text', {}, at * 2, JSON.stringify({ pages: [{ text: 'x'.repeat(5000) }] })),
      ...(at % 2 === 0
        ? call('create_schema', { name: `S${at}` }, at * 2 + 1, JSON.stringify({ schema_id: id(at), name: `S${at}` }))
        : call('delete_tag', { tag_id: id(at) }, at * 2 + 1, `User rejected this action. Reason: keep tag ${at}`)),
    ]).flat();
    const sent = JSON.stringify(prepareHistory([...turns, said('now')]));
    expect(sent.length).toBeLessThan(JSON.stringify(turns).length / 2);
    for (let at = 0; at < 15; at++) {
      expect(sent).toContain(`goal ${at}: read the totals`);
      expect(sent).toContain(id(at));
      if (at % 2 === 1) expect(sent).toContain(`Reason: keep tag ${at}`);
    }
  });

  it('keeps the last message even where nothing else fits', () => {
    expect(prepareHistory([said('a'), said('b')], 0)).toEqual([said('b')]);
  });

  it('tells the model of a call that was never run', () => {
    const messages = prepareHistory([said('a'), exchange('1')[0]!, said('b')]);
    expect(messages[2]).toEqual({ role: 'tool', callId: '1', content: '{"error":"This call was not run."}' });
  });
});

describe('messages of a client', () => {
  it('get call ids of ours, each result with the nearest call before it', () => {
    const call = { id: 'x', type: 'function' as const, function: { name: 'read_note', arguments: '{}' } };
    const round = [
      { role: 'assistant' as const, content: null, tool_calls: [call] },
      { role: 'tool' as const, content: '1', tool_call_id: 'x' },
    ];
    const messages = historyOf([{ role: 'user', content: 'a' }, ...round, ...round]);
    expect(complaints(messages)).toEqual([]);
    expect(JSON.stringify(messages)).not.toContain('"x"');
  });
});
