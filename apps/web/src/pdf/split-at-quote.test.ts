import { expect, it } from 'vitest';
import { splitAtQuote } from './split-at-quote.ts';

it('finds a quote over gaps and line ends, whatever characters it has', () => {
  const text = 'Total (net):\n   USD   110.00 due';
  const parts = splitAtQuote(text, '(net): USD 110.00');
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.find((part) => part.quoted)?.text).toBe('(net):\n   USD   110.00');
});

it('leaves the text whole where the quote is not', () => {
  expect(splitAtQuote('abc', 'xyz')).toEqual([{ text: 'abc', quoted: false }]);
  expect(splitAtQuote('abc', null)).toHaveLength(1);
});
