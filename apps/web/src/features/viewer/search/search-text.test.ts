import { describe, expect, it } from 'vitest';
import { findAll, foldText, hitBoxes } from './search-text.ts';

const found = (text: string, query: string) =>
  findAll(foldText(text), query).map(({ start, end }) => text.slice(start, end));

describe('findAll', () => {
  it('ignores case, accents and the width of gaps, and returns offsets in the original text', () => {
    expect(found('Straße: MÜNCHEN\n   Mitte, München  mitte', 'munchen mitte')).toEqual([
      'MÜNCHEN\n   Mitte',
      'München  mitte',
    ]);
    expect(found('the ﬁnal ﬁnd', 'fin')).toEqual(['ﬁn', 'ﬁn']);
    expect(found('no tenant', 'note')).toEqual([]);
    expect(found('anything', '  ')).toEqual([]);
  });
});

describe('hitBoxes', () => {
  const word = (text: string, x0: number, y0: number) => ({ text, x0, y0, x1: x0 + text.length * 10, y1: y0 + 10 });
  const words = {
    page: { width: 200, height: 100 },
    words: [word('Amount', 0, 0), word('due:', 70, 0), word('Amount', 0, 20), word('paid', 70, 20)],
  };

  it('joins the words of a line and cuts the first and last word', () => {
    expect(hitBoxes(words, 3, 'ount du')).toEqual([[{ page_num: 3, x0: 0.1, y0: 0, x1: 0.45, y1: 0.1 }]]);
  });

  it('has a list for each hit, with a box on each line', () => {
    expect(hitBoxes(words, 1, 'amount')).toHaveLength(2);
    expect(hitBoxes(words, 1, 'due: amount')[0]?.map(({ y0 }) => y0)).toEqual([0, 0.2]);
  });
});
