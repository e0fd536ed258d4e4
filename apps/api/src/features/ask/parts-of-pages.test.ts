import { expect, it } from 'vitest';
import { partsOf } from './parts-of-pages.ts';

it('cuts a page into passages that stand in it as they are, without losing a word', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at} says something. It is no. ${at}!`).join('\n');
  const endless = 'word '.repeat(1500);
  for (const text of [lines, endless, 'x'.repeat(9000), `${lines}\n${endless}\n${lines}`]) {
    const parts = partsOf(text);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    expect(parts.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''));
  }
});

it('has no part of an empty page', () => {
  expect(partsOf(' \n\n ')).toEqual([]);
});
