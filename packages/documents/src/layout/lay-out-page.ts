import type { Word } from '../page.ts';
import type { PageWord } from '../pdf/build-words.ts';
import { readingBlocks } from './columns.ts';
import { turnUpright, type ReadingDirection } from './reading-direction.ts';
import { inReadingOrder, rowsToText } from './row-text.ts';

/**
 * Text of a page for people and language models alike, and its words in the same order. Each reading direction is laid out
 * by itself, the one with most words first.
 */
export function layOutPage(words: readonly PageWord[]): { text: string; words: Word[] } {
  const byDirection = Map.groupBy(words, (word) => word.direction);
  const parts = [...byDirection]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([direction, turned]) => layOutDirection(turned, direction));
  return { text: parts.map((part) => part.text).join('\n\n'), words: parts.flatMap((part) => part.words) };
}

function layOutDirection(words: readonly PageWord[], direction: ReadingDirection): { text: string; words: Word[] } {
  const asDisplayed = new Map<Word, Word>();
  const upright = words.map(({ text, x0, y0, x1, y1 }) => {
    const word = { text, x0, y0, x1, y1 };
    const turned = direction === 'right' ? word : { text, ...turnUpright(word, direction) };
    asDisplayed.set(turned, word);
    return turned;
  });
  const blocks = readingBlocks(upright);
  return {
    text: blocks.map(rowsToText).join('\n\n'),
    words: blocks
      .flat()
      .flatMap((row) => inReadingOrder(row.words))
      .map((word) => asDisplayed.get(word)!),
  };
}
