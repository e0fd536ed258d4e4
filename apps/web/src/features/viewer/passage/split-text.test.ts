import { expect, it } from 'vitest';
import { findQuote, splitText } from './split-text.ts';

const quoted = (text: string, quote: string | null) => splitText(text, findQuote(text, quote), []);

it('finds a quote over gaps and line ends, whatever characters it has', () => {
  const text = 'Total (net):\n   USD   110.00 due';
  const parts = quoted(text, '(net): USD 110.00');
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.find((part) => part.quoted)?.text).toBe('(net):\n   USD   110.00');
});

it('leaves the text whole where the quote is not', () => {
  expect(quoted('abc', 'xyz')).toEqual([{ text: 'abc', quoted: false }]);
  expect(quoted('abc', null)).toHaveLength(1);
});

it('cuts hits and quote where they overlap', () => {
  const hits = [
    { start: 1, end: 3 },
    { start: 5, end: 6 },
  ];
  expect(splitText('abcdefg', { start: 2, end: 6 }, hits)).toEqual([
    { text: 'a', quoted: false },
    { text: 'b', quoted: false, hit: 0 },
    { text: 'c', quoted: true, hit: 0 },
    { text: 'de', quoted: true },
    { text: 'f', quoted: true, hit: 1 },
    { text: 'g', quoted: false },
  ]);
});

const passage = (start: number, end: number, text?: string) => ({
  page: 1,
  range: { start, end },
  found: { text, matches: [{ start: 3, end: 4 }] },
});

it('cuts out the passage that an address leads to, and what was looked for in it', () => {
  const parts = [
    { text: 'ab', quoted: false },
    { text: 'c', quoted: false, passage: 'around' },
    { text: 'd', quoted: false, passage: 'match' },
    { text: 'ef', quoted: false, passage: 'around' },
    { text: 'g', quoted: false },
  ];
  expect(splitText('abcdefg', undefined, [], passage(2, 6))).toEqual(parts);
  expect(splitText('abcdefg', undefined, [], passage(2, 6, 'cdef'))).toEqual(parts);
  expect(splitText('abc', undefined, [], passage(1, 900)).map(({ text }) => text)).toEqual(['a', 'bc']);
});

it('lights up nothing where the page does not say what was indexed', () => {
  expect(splitText('abcdefg', undefined, [], passage(2, 6, '<b>c'))).toEqual([{ text: 'abcdefg', quoted: false }]);
});
