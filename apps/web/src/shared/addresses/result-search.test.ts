import { expect, it } from 'vitest';
import { isFiltered, readResultSearch, resultFilterOf } from './result-search.ts';

const id = '652f1c0a9d3e4b5f6a7b8c9d';

it('drops what no part of the address can be', () => {
  expect(readResultSearch({ prompt: 'x', columns: 'total', show: 'all', tag: 5, documents: ['x'], where: '' })).toEqual(
    {},
  );
  const full = {
    prompt: id,
    table: 'lines',
    where: 'total>=5',
    sort: '-total',
    columns: ['total'],
    show: 'verified',
    tag: id,
    documents: [id],
    group: 'supplier',
    sum: 'total',
  };
  expect(readResultSearch({ ...full, page: 3 })).toEqual(full);
});

it('becomes the filter of the API', () => {
  expect(resultFilterOf({ show: 'released', tag: id })).toMatchObject({ release: 'released', tag_ids: [id] });
  expect(resultFilterOf({ show: 'unverified' })).toMatchObject({ release: undefined, is_verified: false });
  expect([isFiltered({ sort: 'total' }), isFiltered({ tag: id })]).toEqual([false, true]);
});
