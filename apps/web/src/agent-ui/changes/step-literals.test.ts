import { expect, it } from 'vitest';
import { argumentLabel, literalsOf } from './step-literals.ts';

const step = (args: object, summary = '', preview?: object) =>
  literalsOf({ arguments: JSON.stringify(args), summary, preview } as unknown as Parameters<typeof literalsOf>[0]);

it('lists every literal argument of a step that its summary does not contain', () => {
  expect(step({ document_name: 'a.txt', metadata: { paid: true } }, 'Change this document’s name')).toEqual([
    { name: 'document name', text: 'a.txt' },
    { name: 'metadata', text: '{"paid":true}' },
  ]);
  expect(step({ name: 'Freight' }, 'Create the tag “Freight”')).toEqual([]);
  expect(step({ tag_ids: [{ $from: 'tag', path: 'tag_id' }, 'f1'], note: '' })).toEqual([{ name: 'tag', text: 'f1' }]);
  expect(step({ tag_ids: [{ $from: 'tag', path: 'tag_id' }], content: { $model: 'json' } })).toEqual([]);
  expect(step({ content: 'New.' }, '', { kind: 'difference' })).toEqual([]);
});

it('labels arguments', () => {
  expect(['schema_id', 'tag_ids.0', 'prompt_revid', 'content'].map(argumentLabel)).toEqual([
    'schema',
    'tag',
    'prompt',
    'content',
  ]);
});
