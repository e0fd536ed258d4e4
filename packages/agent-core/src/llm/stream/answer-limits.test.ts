import { describe, expect, it } from 'vitest';
import { callDelta, delta } from '../../testing/recorded-fetch.ts';
import { BadAnswerError } from '../model-errors.ts';
import { AnswerAccumulator } from './answer-accumulator.ts';
import type { CompletionChunk } from './completion-chunk.ts';

type Fragment = Record<string, unknown>;

/** Arguments of `length` characters with many brackets, quotes and backslashes, in pieces of 40 characters. */
function piecesOf(length: number): string[] {
  const text = JSON.stringify({ text: '{"a":"}"}\\ '.repeat(Math.ceil(length / 16)).slice(0, length) });
  return text.match(/.{1,40}/gs) ?? [];
}

/** The forms in which services stream the pieces of one call. */
const forms: Record<string, (piece: string, at: number) => Fragment> = {
  'an index alone': (piece, at) => ({ index: 0, ...(at === 0 && { id: 'a', name: 'f' }), arguments: piece }),
  'the id in every piece': (piece, at) => ({ id: 'a', ...(at === 0 && { name: 'f' }), arguments: piece }),
  'the name in every piece': (piece) => ({ index: 0, id: 'a', name: 'f', arguments: piece }),
  'another id in every piece': (piece, at) => ({
    index: 0,
    id: `a${at}`,
    ...(at === 0 && { name: 'f' }),
    arguments: piece,
  }),
  'neither index nor id': (piece, at) => ({ ...(at === 0 && { name: 'f' }), arguments: piece }),
  'a brace at every end': (piece, at) => ({ index: 0, ...(at === 0 && { name: 'f' }), arguments: `${piece}}` }),
};

/** The time to join the pieces in milliseconds, the better of two runs. */
function timeOf(form: (piece: string, at: number) => Fragment, length: number): number {
  const chunks = piecesOf(length).map((piece, at) => callDelta(form(piece, at)) as CompletionChunk);
  const times = [0, 1].map(() => {
    const accumulator = new AnswerAccumulator((name) => name === 'f');
    const before = performance.now();
    for (const chunk of chunks) accumulator.add(chunk);
    accumulator.finish(true);
    return performance.now() - before;
  });
  return Math.min(...times);
}

describe('arguments that stream in small pieces', () => {
  it.each(Object.keys(forms))('take time in proportion to their length: %s', (name) => {
    const form = forms[name]!;
    // Parsing at every piece takes 18 s and more.
    expect(timeOf(form, 800_000)).toBeLessThan(2500);
  });
});

describe('an endless answer', () => {
  const feed = (chunk: unknown, times: number) => {
    const accumulator = new AnswerAccumulator(() => false);
    for (let at = 0; at < times; at++) accumulator.add(chunk as CompletionChunk);
    return accumulator;
  };
  const kb = 'x'.repeat(1000);

  it('is rejected at 4 MB of text or thinking', () => {
    expect(() => feed(delta({ content: kb }), 4001)).toThrow(BadAnswerError);
    expect(() => feed(delta({ reasoning_content: kb }), 4001)).toThrow(BadAnswerError);
    expect(() => feed(delta({ thinking_blocks: [{ data: kb }] }), 4001)).toThrow(BadAnswerError);
    expect(feed(delta({ content: kb }), 3900).finish(true).answer.content).toHaveLength(3_900_000);
  });

  it('is rejected at 1 MB of arguments', () => {
    expect(() => feed(callDelta({ index: 0, name: 'f', arguments: kb }), 1001)).toThrow(/1 MB/);
  });

  it('of calls is read up to a limit, and the omitted calls are counted', () => {
    const accumulator = new AnswerAccumulator((name) => name === 'f');
    for (let at = 0; at < 1000; at++) {
      accumulator.add(callDelta({ index: at, id: `c${at}`, name: 'f', arguments: '{}' }) as CompletionChunk);
    }
    const { toolCalls, omittedCalls } = accumulator.finish(true).answer;
    expect(toolCalls.length + (omittedCalls ?? 0)).toBe(1000);
    expect(toolCalls.length).toBe(200);
  });
});
