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

  it('is cut only between whole exchanges', () => {
    const turns = Array.from({ length: 12 }, (_, at) => [said(`q${at}`), ...exchange(`c${at}`)]).flat();
    const messages = prepareHistory([...turns, said('now')]);
    expect(messages).toHaveLength(19);
    expect(messages[0]).toEqual(said('q6'));
    expect(complaints(messages)).toEqual([]);
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
