import { expect, it } from 'vitest';
import { fieldOf, leafPaths } from './paths.ts';

it('lists every leaf with its path and field', () => {
  const leaves = leafPaths({
    a: 1,
    rows: [
      { b: null, tags: ['x'] },
      { b: 2, tags: [] },
    ],
    none: [],
  });
  expect(leaves.map(({ path, field }) => [path, field])).toEqual([
    ['a', 'a'],
    ['rows.0.b', 'rows[].b'],
    ['rows.0.tags.0', 'rows[].tags[]'],
    ['rows.1.b', 'rows[].b'],
  ]);
  expect(fieldOf('rows.0.tags.12')).toBe('rows[].tags[]');
});
