import { expect, it } from 'vitest';
import { partOf } from './split-command.ts';

it('reads a part from its name and pages, the name with what it likes in it', () => {
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
