import { expect, it } from 'vitest';
import { identifierAt } from './read-value.ts';

it.each([
  ['RE-2019/507 issued at', 'RE-2019/507'],
  ['12 345 678 901', '12 345 678 901'],
  ['DE 232 446 240', 'DE 232 446 240'],
  ['#INV03051', '#INV03051'],
  ['Pending', null],
])('the identifier at the start of “%s” is %j', (text, expected) => {
  expect(identifierAt(text)).toBe(expected);
});
