import { expect, it } from 'vitest';
import { canBacktrackWithoutBound } from './backtracking-rule.ts';

it.each([
  '(a+)+$',
  '^(?:a+)+$',
  '(a*)*',
  '(a|a)*$',
  '(a|aa)+$',
  '(a?a)*$',
  String.raw`^(\w+\s?)*$`,
  '([a-zA-Z]+)*$',
  '(.*a){20}',
  String.raw`(\s*\w+)*!`,
  '((ab)*)*',
  '(x+x+)+y',
  '(?<name>a+){2,}',
])('rejects %s', (pattern) => {
  expect(canBacktrackWithoutBound(pattern)).toBe(true);
});

it.each([
  String.raw`^[A-Z]{2}\d+$`,
  String.raw`^\d{4}-\d{2}-\d{2}$`,
  String.raw`^[^@\s]+@[^@\s]+\.[^@\s]+$`,
  String.raw`^[\w.]+@([\w-]+\.)+\w{2,}$`,
  String.raw`^\d{1,3}(,\d{3})*(\.\d+)?$`,
  String.raw`^(?:EUR|USD)\s*\d+([.,]\d{2})?$`,
  String.raw`^(\d+-)*\d+$`,
  '(EUR|USD|CHF)+',
  String.raw`^\(\d+\)[*+?]$`,
  '^[(a+)+]$',
  '[[:alpha:]]+',
  String.raw`^\p{L}+( \p{L}+)*$`,
  'a|b',
  '{}]',
  '',
])('takes %s', (pattern) => {
  expect(canBacktrackWithoutBound(pattern)).toBe(false);
});

it('decides quickly for many sets and groups', { retry: 2 }, () => {
  const many = Array.from({ length: 160 }, (_, at) => `\\x{${(at + 33).toString(16)}}`);
  const patterns = [
    `(${many.join('|')})+`,
    '('.repeat(450) + 'a'.padEnd(100, 'b') + ')'.repeat(450),
    '(a'.repeat(300) + ')+'.repeat(100),
  ];
  const began = performance.now();
  for (const pattern of patterns) canBacktrackWithoutBound(pattern);
  expect(performance.now() - began).toBeLessThan(1000);
});
