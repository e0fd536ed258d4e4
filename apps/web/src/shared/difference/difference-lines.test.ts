import { expect, it } from 'vitest';
import { differenceLines } from './difference-lines.ts';

const brief = (before: string, after: string) =>
  differenceLines(before, after).map(({ kind, text }) => `${{ added: '+', removed: '-', same: ' ' }[kind]}${text}`);

it('tells lines that come and go, and leaves alone a last line that only got company', () => {
  expect(brief('a\nb', 'a\nb\nc')).toEqual([' a', ' b', '+c']);
  expect(brief('total: text', 'total: number')).toEqual(['-total: text', '+total: number']);
  expect(brief('', 'new')).toEqual(['+new']);
});

it('shortens long stretches that stay', () => {
  const same = Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n');
  expect(brief(same, `${same}\nend`)).toEqual([
    ' line 0',
    ' line 1',
    ' … 5 lines stay …',
    ' line 7',
    ' line 8',
    '+end',
  ]);
});
