import { describe, expect, it } from 'vitest';
import { passageBoxes, wordStarts } from './passage-boxes.ts';

const text = '   Amount due:   Amount\n\n   paid in full';
const word = (one: string, x0: number, y0: number) => ({ text: one, x0, y0, x1: x0 + one.length * 10, y1: y0 + 10 });
const words = {
  page: { width: 200, height: 100 },
  words: [
    word('Amount', 0, 0),
    word('due:', 70, 0),
    word('Amount', 120, 0),
    word('paid', 0, 20),
    word('in', 50, 20),
    word('full', 80, 20),
  ],
};

describe('wordStarts', () => {
  it('finds the words in order, whatever the gaps', () => {
    expect(wordStarts(text, words.words)).toEqual([3, 10, 17, 28, 33, 36]);
  });

  it('continues after a word that is not in the text', () => {
    expect(wordStarts('one two three', [{ text: 'one' }, { text: 'zwei' }, { text: 'three' }])).toEqual([0, 3, 8]);
  });
});

describe('passageBoxes', () => {
  it('has a box for each line and each match, on the right one of two equal words', () => {
    const second = { start: 17, end: 23 };
    const { lines, matches } = passageBoxes(
      { page: 4, range: { start: 17, end: 35 }, found: { text: undefined, matches: [second] } },
      text,
      words,
    );
    expect(lines).toEqual([
      { page_num: 4, x0: 0.6, y0: 0, x1: 0.9, y1: 0.1 },
      { page_num: 4, x0: 0, y0: 0.2, x1: 0.35, y1: 0.3 },
    ]);
    expect(matches).toEqual([[{ page_num: 4, x0: 0.6, y0: 0, x1: 0.9, y1: 0.1 }]]);
  });

  it('is empty if the range of the URL lies outside the text', () => {
    expect(passageBoxes({ page: 1, range: { start: 900, end: 950 }, found: undefined }, text, words).lines).toEqual([]);
  });
});
