import { expect, it } from 'vitest';
import { findQuote, splitText } from './split-text.ts';

const quoted = (text: string, quote: string | null) => splitText(text, findQuote(text, quote), []);

it('finds a quote across gaps and line ends, with any characters', () => {
  const text = 'Total (net):\n   USD   110.00 due';
  const parts = quoted(text, '(net): USD 110.00');
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.find((part) => part.quoted)?.text).toBe('(net):\n   USD   110.00');
});

it('does not split the text without the quote', () => {
  expect(quoted('abc', 'xyz')).toEqual([{ text: 'abc', quoted: false }]);
  expect(quoted('abc', null)).toHaveLength(1);
});

it('splits at the edges of overlapping hits and quote', () => {
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

it('splits out the passage of the URL and its matches', () => {
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

it('highlights nothing if the page does not have the indexed text', () => {
  expect(splitText('abcdefg', undefined, [], passage(2, 6, '<b>c'))).toEqual([{ text: 'abcdefg', quoted: false }]);
});
