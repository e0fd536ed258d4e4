import { expect, test } from 'vitest';
import { printable, printableJson, printableLine, truncateToWidth } from './terminal-text.ts';

test.each([
  ['a window title', '\u001b]0;owned\u0007', '␛]0;owned␇'],
  ['colours', '\u001b[31mred', '␛[31mred'],
  ['the one-byte introducer', '\u009b2J', '<U+009B>2J'],
  ['a carriage return that overwrites', 'total 5\rtotal 9', 'total 5␍total 9'],
  ['a turned reading direction', 'exe\u202efdp', 'exe<U+202E>fdp'],
  ['hidden text', 'a\u200bb\ufeff', 'a<U+200B>b<U+FEFF>'],
])('makes %s visible', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('leaves line ends, tabs, emoji and other scripts unchanged', () => {
  const text = 'Größe\t5\n日本 👩‍👩‍👧 שלום';
  expect(printable(text)).toBe(text);
  expect(printable('a\r\nb')).toBe('a\nb');
  expect(printableLine(' a\n  b ')).toBe('a b');
});

test('JSON for a terminal has the same value', () => {
  const value = { text: '\u001b[2J\u009b\u202e', list: [1, null] };
  const json = printableJson(value, 2);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/[^\n\u0020-\u007e]/);
});

test('a line is cut by columns, never inside a character', () => {
  expect(truncateToWidth('日本語', 5)).toBe('日本…');
  expect(truncateToWidth('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
  expect(truncateToWidth('short', 5)).toBe('short');
});
