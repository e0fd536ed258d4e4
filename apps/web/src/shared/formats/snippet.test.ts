import { describe, expect, it } from 'vitest';
import { densestMark, snippetOf } from './snippet.ts';

const marksOf = (text: string, word: RegExp) =>
  [...text.matchAll(word)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
const shown = (text: string, word: RegExp, most?: number) => {
  const parts = snippetOf(text, marksOf(text, word), most);
  return parts.map(({ text: part, marked }) => (marked ? `[${part}]` : part)).join('');
};

describe('snippetOf', () => {
  it('shows a short text whole, its columns as one line', () => {
    expect(shown('Total (net):\n   USD   110.00 due', /due|Total/gu)).toBe('[Total] (net): USD 110.00 [due]');
  });

  it('counts what is seen, not the gaps of columns', () => {
    const columns = `first${' '.repeat(400)}second${'\n'.repeat(300)}third`;
    expect(shown(columns, /third/gu, 60)).toBe('first second [third]');
  });

  it('shows the part with most of the marks, cut between words', () => {
    const filler = 'nothing to be seen here at all. '.repeat(20);
    const text = `rent ${filler}The rent and the deposit are due with the rent. ${filler}`;
    const snippet = shown(text, /rent|deposit/gu, 120);
    expect(snippet).toContain('The [rent] and the [deposit] are due with the [rent].');
    expect(snippet).toMatch(/^… \S.*\S …$/u);
    expect(snippet.replace(/[[\]… ]/gu, '')).not.toMatch(/^othing|^ere/u);
    expect(snippet.length).toBeLessThan(140);
  });

  it('prefers all of the words that were looked for to one of them many times', () => {
    const filler = 'nothing to be seen here at all. '.repeat(20);
    const text = `Invoice, invoices and one more invoice. ${filler}The total of this invoice. ${filler}`;
    expect(shown(text, /invoices?|total/giu, 120)).toContain('The [total] of this [invoice].');
  });

  it('begins at the start where nothing is marked, and never in the middle of a character', () => {
    expect(shown('🙂'.repeat(300), /x/gu, 101).replace(' …', '')).toMatch(/^(?:🙂)+$/u);
  });

  it('keeps every mark inside the text it is given', () => {
    const parts = snippetOf('abc', [{ start: 1, end: 99 }]);
    expect(parts).toEqual([
      { text: 'a', marked: false },
      { text: 'bc', marked: true },
    ]);
  });
});

it('knows where marks lie closest together', () => {
  const marks = [0, 500, 520, 540, 900].map((start) => ({ start, end: start + 5 }));
  expect(densestMark('x'.repeat(1000), marks, 100)?.start).toBe(500);
  expect(densestMark('', [], 100)).toBeUndefined();
});
