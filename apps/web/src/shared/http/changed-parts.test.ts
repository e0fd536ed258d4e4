import { expect, it } from 'vitest';
import { changedParts } from './changed-parts.ts';

it('has what the user changed, added and emptied, and nothing else', () => {
  const opened: { name: string; tags: string[]; model: string | null; note?: string } = {
    name: 'Invoices',
    tags: ['a', 'b'],
    model: 'small',
  };
  expect(changedParts({ ...opened }, opened)).toEqual({});
  expect(changedParts({ ...opened, tags: ['a'], model: null, note: 'New' }, opened)).toEqual({
    tags: ['a'],
    model: null,
    note: 'New',
  });
});
