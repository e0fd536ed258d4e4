import type { Word } from '../page.ts';
import type { PageWord } from './page-word.ts';
import { readingBlocks } from './columns.ts';
import { turnUpright, type ReadingDirection } from './reading-direction.ts';
import { inReadingOrder } from './reading-order.ts';
import { rowsToText } from './row-text.ts';

/**
 * The text of a page for people and language models, and its words in the same order. Each reading direction is laid
 * out separately: the one with most words first, text at an angle last.
 */
export function layOutPage(words: readonly PageWord[]): { text: string; words: Word[] } {
  const byDirection = Map.groupBy(words, (word) => word.direction);
  const parts = [...byDirection]
    .sort(([a, aWords], [b, bWords]) => Number(!a) - Number(!b) || bWords.length - aWords.length)
    .map(([direction, turned]) => layOutDirection(turned, direction));
  return { text: parts.map((part) => part.text).join('\n\n'), words: parts.flatMap((part) => part.words) };
}

/** A word turned upright, with the original word. */
interface TurnedWord extends Word {
  asDisplayed: Word;
}

function layOutDirection(
  words: readonly PageWord[],
  direction: ReadingDirection | undefined,
): { text: string; words: readonly Word[] } {
  // Text at an angle, such as stamps and watermarks, is in the order of the file.
  if (direction === undefined) return { text: words.map((word) => word.text).join(' '), words };
  if (direction === 'right') return layOutUpright(words);
  const turned = words.map((word): TurnedWord => ({
    text: word.text,
    ...turnUpright(word, direction),
    asDisplayed: word,
  }));
  const { text, words: ordered } = layOutUpright(turned);
  return { text, words: ordered.map((word) => word.asDisplayed) };
}

function layOutUpright<Upright extends Word>(words: readonly Upright[]): { text: string; words: Upright[] } {
  const blocks = readingBlocks(words);
  for (const row of blocks.flat()) row.words = inReadingOrder(row.words);
  return {
    text: blocks.map(rowsToText).join('\n\n'),
    words: blocks.flatMap((rows) => rows.flatMap((row) => row.words)),
  };
}
