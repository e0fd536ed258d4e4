import { describe, expect, it } from 'vitest';
import { densestMark, snippetOf } from './snippet.ts';

const marksOf = (text: string, word: RegExp) =>
  [...text.matchAll(word)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
const render = (text: string, word: RegExp, maxLength?: number) => {
  const parts = snippetOf(text, marksOf(text, word), maxLength);
  return parts.map(({ text: part, marked }) => (marked ? `[${part}]` : part)).join('');
};

describe('snippetOf', () => {
  it('shows a short text in full, with its columns on one line', () => {
    expect(render('Total (net):\n   USD   110.00 due', /due|Total/gu)).toBe('[Total] (net): USD 110.00 [due]');
  });

  it('does not count the gaps between columns', () => {
    const columns = `first${' '.repeat(400)}second${'\n'.repeat(300)}third`;
    expect(render(columns, /third/gu, 60)).toBe('first second [third]');
  });

  it('shows the part with the most marks, cut between words', () => {
    const filler = 'nothing to be seen here at all. '.repeat(20);
    const text = `rent ${filler}The rent and the deposit are due with the rent. ${filler}`;
    const snippet = render(text, /rent|deposit/gu, 120);
    expect(snippet).toContain('The [rent] and the [deposit] are due with the [rent].');
    expect(snippet).toMatch(/^… \S.*\S …$/u);
    expect(snippet.replace(/[[\]… ]/gu, '')).not.toMatch(/^othing|^ere/u);
    expect(snippet.length).toBeLessThan(140);
  });

  it('prefers a place with all searched words to one word many times', () => {
    const filler = 'nothing to be seen here at all. '.repeat(20);
    const text = `Invoice, invoices and one more invoice. ${filler}The total of this invoice. ${filler}`;
    expect(render(text, /invoices?|total/giu, 120)).toContain('The [total] of this [invoice].');
  });

  it('starts at the beginning without marks, and never cuts a character in half', () => {
    expect(render('🙂'.repeat(300), /x/gu, 101).replace(' …', '')).toMatch(/^(?:🙂)+$/u);
  });

  it('clips marks to the text', () => {
    const parts = snippetOf('abc', [{ start: 1, end: 99 }]);
    expect(parts).toEqual([
      { text: 'a', marked: false },
      { text: 'bc', marked: true },
    ]);
  });
});

it('finds where marks are densest', () => {
  const marks = [0, 500, 520, 540, 900].map((start) => ({ start, end: start + 5 }));
  expect(densestMark('x'.repeat(1000), marks, 100)?.start).toBe(500);
  expect(densestMark('', [], 100)).toBeUndefined();
});
