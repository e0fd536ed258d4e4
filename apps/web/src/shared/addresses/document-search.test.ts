import { expect, it } from 'vitest';
import { filterOf, readDocumentListSearch, selectionQuery } from './document-search.ts';

it('selects by what comes next, in lists and for bulk actions', () => {
  const search = readDocumentListSearch({ state: 'needs_you', tag: 'a', routing: 'unsure' });
  expect(filterOf(search)).toMatchObject({ stage: 'needs_you', tag_ids: ['a'], routing: 'unsure' });
  expect(selectionQuery(search)).toMatchObject({ stage: 'needs_you', tag_ids: ['a'], routing: 'unsure' });
});

it('selects replaced documents too, or those whose file is gone', () => {
  const all = readDocumentListSearch({ versions: 'all' });
  expect([filterOf(all), selectionQuery(all)]).toMatchObject([{ include_replaced: true }, { include_replaced: true }]);
  const missing = readDocumentListSearch({ versions: 'missing' });
  expect([filterOf(missing), selectionQuery(missing)]).toMatchObject([{ missing: true }, { missing: true }]);
  expect(readDocumentListSearch({ versions: 'x' })).toEqual({});
});

it('still understands saved addresses with a state of processing, and drops what it does not know', () => {
  const stage = (state: string) => readDocumentListSearch({ state }).state;
  expect(['proposed', 'ocr_processing', 'llm_failed', 'ocr_completed'].map(stage)).toEqual([
    'proposal',
    'reading',
    'needs_you',
    'ready',
  ]);
  expect(readDocumentListSearch({ state: 'toString', routing: 'toString' })).toEqual({});
});
