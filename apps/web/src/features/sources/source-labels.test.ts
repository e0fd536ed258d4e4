import type { Source } from '@docwright/contract';
import { expect, it } from 'vitest';
import { syncState } from './connector/sync-state.ts';
import { isSameSource, suggestedSourceName, sourceLabel } from './source-labels.ts';

const tags = [
  { tag_id: 'a', name: 'Lease' },
  { tag_id: 'b', name: 'Old' },
];

it('describes the documents of a source', () => {
  expect(sourceLabel({}, tags)).toBe('All documents');
  expect(sourceLabel({ tag_ids: ['a', 'gone'], name_search: 'inv' }, tags)).toBe(
    'Tagged Lease and a deleted tag, “inv” in the name',
  );
  expect(suggestedSourceName({ documents: undefined, tagIds: ['a', 'b'], nameSearch: 'inv' }, tags)).toBe(
    'Lease, Old, inv',
  );
  expect(suggestedSourceName({ documents: 2, tagIds: [], nameSearch: '' }, tags)).toBe('2 chosen documents');
});

it('recognizes an existing source by its name and filters', () => {
  const source = { name: 'Leases', tag_ids: ['a', 'b'] } as Source;
  expect(isSameSource(source, { name: 'Leases', tag_ids: ['b', 'a'] })).toBe(true);
  expect(isSameSource(source, { name: 'Leases' })).toBe(false);
  expect(isSameSource(source, { name: 'Leases', tag_ids: ['a', 'b'], name_search: 'x' })).toBe(false);
  expect(isSameSource(source, { name: 'Other', tag_ids: ['a', 'b'] })).toBe(false);
});

it('says where a source takes its files from, and what state it is in', () => {
  const config = { path: '/in', settle_seconds: 5, ignore: [], depth: 1, subfolder_tags: false };
  const connector = { kind: 'folder' as const, config: { ...config, afterwards: { do: 'leave' as const } } };
  expect(sourceLabel({ connector, enabled: true, state: 'waiting', tag_ids: ['1'] }, [])).toBe(
    'Files of the folder /in',
  );
  expect(sourceLabel({ connector, enabled: true, state: 'failing' }, [])).toContain('failing');
  expect(sourceLabel({ connector, enabled: false, state: 'failing' }, [])).toContain('switched off');
  expect(syncState({ enabled: false, state: 'failing' }).label).toBe('Off');
  expect(syncState({ state: 'failing' }).tone).toBe('bad');
  expect(syncState({}).label).toBe('On');
});
