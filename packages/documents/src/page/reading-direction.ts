import type { Box } from './box.ts';
import type { Word } from './page.ts';

/** The direction in which the letters of a line follow each other, on the page as displayed. */
export type ReadingDirection = 'right' | 'down' | 'left' | 'up';

/** The box after the page has been turned until its text runs to the right. Coordinates can become negative. */
export function turnUpright({ x0, y0, x1, y1 }: Box, direction: ReadingDirection): Box {
  switch (direction) {
    case 'right':
      return { x0, y0, x1, y1 };
    case 'down':
      return { x0: y0, y0: -x1, x1: y1, y1: -x0 };
    case 'left':
      return { x0: -x1, y0: -y1, x1: -x0, y1: -y0 };
    case 'up':
      return { x0: -y1, y0: x0, x1: -y0, y1: x1 };
  }
}

/**
 * The reading direction of most words of a page, guessed from their boxes: on a sideways page, most words are taller
 * than wide and follow each other up or down.
 */
export function directionOf(words: readonly Word[]): ReadingDirection {
  const long = words.filter((word) => word.text.length > 3);
  const tall = long.filter((word) => word.y1 - word.y0 > (word.x1 - word.x0) * 1.5);
  if (tall.length * 2 <= long.length) return 'right';
  let down = 0;
  for (const [position, word] of words.entries()) {
    const next = words[position + 1];
    if (next && Math.abs(next.x0 - word.x0) < word.x1 - word.x0) down += Math.sign(next.y0 - word.y0);
  }
  return down >= 0 ? 'down' : 'up';
}
