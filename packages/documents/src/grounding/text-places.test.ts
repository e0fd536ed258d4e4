import { expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { pageOf } from '../testing/grid-page.ts';
import { groundAtOnce } from '../testing/ground-at-once.ts';

/** Lines of words of height 10, with a gap before each word. */
function pageWithGaps(lines: readonly (readonly (readonly [gap: number, text: string])[])[]): Page {
  const words = lines.flatMap((line, at) => {
    let x = 50;
    return line.map(([gap, text]) => {
      const x0 = x + gap;
      x = x0 + text.length * 5;
      return { text, x0, x1: x, y0: 100 + at * 12, y1: 110 + at * 12 };
    });
  });
  return { ...pageOf(''), words, text: words.map(({ text }) => text).join(' ') };
}

it.each([
  ['beside a column as close as half a height', 5, 'exact'],
  ['not across running text', 2.5, 'none'],
])('a long value breaks its line %s', (_, gap, match) => {
  const words = (text: string): [number, string][] => text.split(' ').map((word, at) => [at === 0 ? 0 : 2.5, word]);
  const page = pageWithGaps([[...words('Servicing of the large'), [gap, '12.50']], words('printing machine')]);
  expect(groundAtOnce({ field: 'Servicing of the large printing machine' }, [page])['field']?.match).toBe(match);
});
