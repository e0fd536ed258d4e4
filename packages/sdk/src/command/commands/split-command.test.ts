import { expect, it } from 'vitest';
import { partOf } from './split-command.ts';

it('reads the name and the pages of a part; the name can contain any characters', () => {
  expect(partOf('March=1-3,7')).toEqual({
    name: 'March',
    pages: [
      [1, 3],
      [7, 7],
    ],
  });
  expect(partOf('a=b = 12')).toEqual({ name: 'a=b', pages: [[12, 12]] });
});

it.each(['March', 'March=', '=1-3', 'March=0', 'March=1-', 'March=one', 'March=1--3'])('refuses %s', (text) => {
  expect(() => partOf(text)).toThrow(/takes a name and pages/u);
});
