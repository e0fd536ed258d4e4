import { describe, expect, it } from 'vitest';
import { splitMarkdown } from './split-markdown.ts';

describe('splitMarkdown', () => {
  it('ends blocks at blank lines', () => {
    expect(splitMarkdown('# Title\n\nOne\ntwo\n\n\nThree')).toEqual(['# Title', 'One\ntwo', 'Three']);
  });

  it('keeps a code fence whole, even while its end is missing', () => {
    expect(splitMarkdown('a\n\n```json\n{\n\n}')).toEqual(['a', '```json\n{\n\n}']);
    expect(splitMarkdown('````\n```\n\nx\n````\n\nafter')).toEqual(['````\n```\n\nx\n````', 'after']);
  });

  it('keeps a list with gaps whole, so that its numbering continues', () => {
    expect(splitMarkdown('1. a\n\n2. b\n\n   more\n\nend')).toEqual(['1. a\n\n2. b\n\n   more', 'end']);
  });

  it('never changes a finished block as the text grows', () => {
    const text = 'One.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\nLast words.';
    const whole = splitMarkdown(text);
    for (let length = 1; length <= text.length; length += 1) {
      const done = splitMarkdown(text.slice(0, length)).slice(0, -1);
      expect(whole.slice(0, done.length)).toEqual(done);
    }
  });

  it('splits long lists and long tables into several blocks', () => {
    const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
    const list = splitMarkdown(lines(150, (at) => `- item ${at}\n  more`).join('\n'));
    expect(list.length).toBeGreaterThan(3);
    expect(list.every((block) => block.startsWith('- item'))).toBe(true);
    const head = '| a | b |\n|---|--:|\n';
    const table = splitMarkdown(head + lines(150, (at) => `| ${at} | x |`).join('\n'));
    expect(table.length).toBeGreaterThan(2);
    expect(table.every((block) => block.startsWith(head))).toBe(true);
    expect(table.flatMap((block) => block.split('\n').slice(2))).toHaveLength(150);
    expect(splitMarkdown(['```', ...lines(150, (at) => `- ${at}`), '```'].join('\n'))).toHaveLength(1);
  });
});
