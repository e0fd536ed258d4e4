import { expect, it } from 'vitest';
import { schemaChanges } from './schema-difference.tsx';

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const text = (description: string) => ({ type: 'string', description });

it('names fields that were added, removed or changed, inside lists too', () => {
  const before = object({
    name: text('Name'),
    gone: text(''),
    lines: { type: 'array', items: object({ sum: text('') }) },
  });
  const after = object({
    name: text('Full name'),
    lines: { type: 'array', items: object({ sum: { type: 'number' } }) },
    fresh: { type: 'boolean' },
  });
  const changes = schemaChanges(before, after);
  expect(changes.map(({ path, before: was, after: is }) => [path, was?.type, is?.type])).toEqual([
    ['name', 'text', 'text'],
    ['lines.sum', 'text', 'number'],
    ['fresh', undefined, 'yes or no'],
    ['gone', 'text', undefined],
  ]);
  expect(schemaChanges(before, before)).toEqual([]);
});
