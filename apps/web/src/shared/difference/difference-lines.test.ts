import { expect, it } from 'vitest';
import { differenceLines } from './difference-lines.ts';

const brief = (before: string, after: string) =>
  differenceLines(before, after).map(({ kind, text }) => `${{ added: '+', removed: '-', same: ' ' }[kind]}${text}`);

it('marks added and removed lines, and keeps a last line that only gains a line break', () => {
  expect(brief('a\nb', 'a\nb\nc')).toEqual([' a', ' b', '+c']);
  expect(brief('total: text', 'total: number')).toEqual(['-total: text', '+total: number']);
  expect(brief('', 'new')).toEqual(['+new']);
});

it('shortens long unchanged stretches', () => {
  const same = Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n');
  expect(brief(same, `${same}\nend`)).toEqual([
    ' line 0',
    ' line 1',
    ' … 5 unchanged lines …',
    ' line 7',
    ' line 8',
    '+end',
  ]);
});
