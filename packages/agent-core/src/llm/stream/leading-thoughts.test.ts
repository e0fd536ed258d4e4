import { expect, it } from 'vitest';
import { delta } from '../../testing/recorded-fetch.ts';
import { AnswerAccumulator } from './answer-accumulator.ts';
import type { CompletionChunk } from './completion-chunk.ts';

function read(pieces: readonly string[]) {
  const accumulator = new AnswerAccumulator(() => false);
  const emitted = pieces.flatMap((content) => accumulator.add(delta({ content }) as CompletionChunk));
  emitted.push(...accumulator.flush());
  const { content, reasoning } = accumulator.finish(true).answer;
  const shown = (wanted: string) => emitted.map(({ type, text }) => (type === wanted ? text : '')).join('');
  expect(shown('text_delta')).toBe(content);
  return { content, thought: shown('thinking_delta'), reasoning };
}

it.each([
  ['<think>\nHm.\n</think>\n\n{"a":1}', '\nHm.\n', '{"a":1}'],
  ['\n<Thinking>Hm.</thinking>Yes.', 'Hm.', 'Yes.'],
  ['[THINK]a[/THINK][THINK]b[/THINK] c', 'ab', 'c'],
  ['◁think▷a◁/think▷b', 'a', 'b'],
  ['<think></think>\n\nYes.', '', 'Yes.'],
  ['<think>never closed', 'never closed', ''],
  ['<think>a</thinner></think>b', 'a</thinner>', 'b'],
  ['Write <think>a</think> so.', '', 'Write <think>a</think> so.'],
  ['<thin> air', '', '<thin> air'],
  ['  indented', '', '  indented'],
  ['<thi', '', '<thi'],
])('reasoning at the beginning of %j is thinking, in pieces of any size', (text, thought, content) => {
  for (const size of [1, 2, 3, 7, 100]) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];
    expect(read(pieces)).toMatchObject({ thought, content });
  }
});

it('keeps the reasoning out of what is sent back as content', () => {
  expect(read(['<think>Hm.</think>Yes.']).reasoning).toEqual([{ kind: 'text', field: 'reasoning', text: 'Hm.' }]);
});

it('reads a flood of blank characters in linear time', () => {
  const start = performance.now();
  expect(read(Array.from({ length: 100_000 }, () => '          ')).content).toHaveLength(1_000_000);
  expect(performance.now() - start).toBeLessThan(5000);
});
