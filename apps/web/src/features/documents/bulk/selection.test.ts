import type { Document } from '@docwright/contract';
import { expect, it } from 'vitest';
import { extended, nothingSelected, refreshed, toggled, withAll, withoutAll, type Selection } from './selection.ts';

const document = (id: string, name = id): Document => ({
  id,
  document_name: name,
  mime_type: 'application/pdf',
  page_count: 1,
  size_bytes: 1,
  state: 'ocr_completed',
  tag_ids: [],
  metadata: {},
  upload_date: '2026-05-01T00:00:00Z',
  uploaded_by: 'u',
});
const page = ['a', 'b', 'c', 'd', 'e'].map((id) => document(id));
const at = (index: number) => page[index]!;
const ids = ({ documents }: Selection) => [...documents.keys()].toSorted().join('');

it('extends a range from the last selected document in both directions and keeps the earlier selection', () => {
  const second = toggled(nothingSelected, at(1));
  expect(ids(extended(second, page, at(3)))).toBe('bcd');
  expect(ids(extended(toggled(second, at(4)), page, at(3)))).toBe('bde');
  expect(ids(extended(extended(second, page, at(3)), page, at(0)))).toBe('abcd');
});

it('starts a new range on a page without a selected document', () => {
  const elsewhere = toggled(nothingSelected, document('z'));
  expect(ids(extended(elsewhere, page, at(2)))).toBe('cz');
});

it('deselects one document or a page, and replaces documents by newer versions', () => {
  const all = withAll(nothingSelected, page);
  expect(ids(toggled(all, at(2)))).toBe('abde');
  expect(ids(withoutAll(all, page.slice(0, 4)))).toBe('e');
  const renamed = document('a', 'renamed');
  expect(refreshed(all, [renamed]).documents.get('a')).toBe(renamed);
  expect(refreshed(all, page)).toBe(all);
});
