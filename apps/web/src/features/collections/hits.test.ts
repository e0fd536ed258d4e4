import type { SearchHit } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { readCollectionSearch, nextTop, queryOf } from '../../shared/addresses/collection-search.ts';
import { addressOfHit, hitAt, hitsByDocument, inShownOrder } from './hits.ts';

const hit = (document_id: string, page_num: number | null, start = 0): SearchHit => ({
  document_id,
  document_name: `${document_id}.pdf`,
  page_num,
  start,
  end: start + 10,
  text: '0123456789',
  boxes: [],
  matches: [],
  score: 1,
});
const chunker = { plugin_id: 'page', config: {} };
const collection = {
  id: 'the-collection',
  pipeline: { parsers: [], extract: { prompt_revid: 'the-prompt' }, chunker, embedder: null },
};
const hits = [hit('a', 1), hit('b', 2), hit('a', 1, 50), hit('c', null), hit('b', 1)];

describe('hits', () => {
  it('stand together by document, documents by their best hit', () => {
    expect(hitsByDocument(hits).map(({ document_name, hits: own }) => [document_name, own.length])).toEqual([
      ['a.pdf', 2],
      ['b.pdf', 2],
      ['c.pdf', 1],
    ]);
    expect(inShownOrder(hits, { by: 'document' }).map(({ document_id }) => document_id)).toEqual([
      'a',
      'a',
      'b',
      'b',
      'c',
    ]);
    expect(inShownOrder(hits, {})).toEqual(hits);
  });

  it('are found again by the address that leads to them', () => {
    for (const [index, one] of hits.entries()) {
      const address = addressOfHit(one, collection, { q: 'rent' });
      expect(address).toMatchObject({ collection: 'the-collection', q: 'rent' });
      expect(hitAt(hits, one.document_id, address)).toBe(index);
    }
    expect(addressOfHit(hit('c', null), collection, {})).toMatchObject({ prompt: 'the-prompt', tab: 'extraction' });
    expect(hitAt(hits, 'a', { page: 1, start: 7, end: 8 })).toBe(-1);
    expect(hitAt(hits, 'c', {})).toBe(-1);
  });
});

describe('the address of a search', () => {
  it('leaves out what makes no sense', () => {
    expect(readCollectionSearch({ q: 42, top: '25', by: 'document' })).toEqual({ q: '42', top: 25, by: 'document' });
    expect(readCollectionSearch({ q: '  ', top: 9999, by: 'size' })).toEqual({});
    expect(readCollectionSearch({ q: ['a'], top: 10 })).toEqual({ q: '["a"]' });
    expect(readCollectionSearch({ q: true })).toEqual({ q: 'true' });
  });

  it('asks for what the server takes', () => {
    expect(queryOf({ q: `  ${'a'.repeat(2000)}` })).toHaveLength(1000);
    expect([nextTop(10), nextTop(50), nextTop(100)]).toEqual([25, 100, undefined]);
  });
});
