import type { SearchHit } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { readCollectionSearch, nextTop, queryOf } from '../../shared/addresses/collection-search.ts';
import { addressOfHit, hitAt, hitsByDocument, inDisplayOrder } from './hits.ts';

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
  it('are grouped by document, in the order of the best hits', () => {
    expect(hitsByDocument(hits).map(({ document_name, hits: group }) => [document_name, group.length])).toEqual([
      ['a.pdf', 2],
      ['b.pdf', 2],
      ['c.pdf', 1],
    ]);
    expect(inDisplayOrder(hits, { by: 'document' }).map(({ document_id }) => document_id)).toEqual([
      'a',
      'a',
      'b',
      'b',
      'c',
    ]);
    expect(inDisplayOrder(hits, {})).toEqual(hits);
  });

  it('are identified by their URL', () => {
    for (const [index, item] of hits.entries()) {
      const address = addressOfHit(item, collection, { q: 'rent' });
      expect(address).toMatchObject({ collection: 'the-collection', q: 'rent' });
      expect(hitAt(hits, item.document_id, address)).toBe(index);
    }
    expect(addressOfHit(hit('c', null), collection, {})).toMatchObject({ prompt: 'the-prompt', tab: 'extraction' });
    expect(hitAt(hits, 'a', { page: 1, start: 7, end: 8 })).toBe(-1);
    expect(hitAt(hits, 'c', {})).toBe(-1);
  });
});

describe('the address of a search', () => {
  it('drops invalid values', () => {
    expect(readCollectionSearch({ q: 42, top: '25', by: 'document' })).toEqual({ q: '42', top: 25, by: 'document' });
    expect(readCollectionSearch({ q: '  ', top: 9999, by: 'size' })).toEqual({});
    expect(readCollectionSearch({ q: ['a'], top: 10 })).toEqual({ q: '["a"]' });
    expect(readCollectionSearch({ q: true })).toEqual({ q: 'true' });
  });

  it('stays within the limits of the server', () => {
    expect(queryOf({ q: `  ${'a'.repeat(2000)}` })).toHaveLength(1000);
    expect([nextTop(10), nextTop(50), nextTop(100)]).toEqual([25, 100, undefined]);
  });
});
