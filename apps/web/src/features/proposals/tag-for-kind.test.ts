import { expect, it } from 'vitest';
import { tagBodyOf, suggestedTag } from './tag-for-kind.ts';

const tag = (tag_id: string, name: string) => ({
  tag_id,
  name,
  color: '#2563eb',
  description: '',
  created_at: '',
  created_by: '',
});

it('suggests the prompt’s own tag, then a tag with the issuer’s name, then a new tag', () => {
  const proposal = { name: 'Invoice, Contoso', tag_ids: [] };
  expect(suggestedTag({ ...proposal, tag_ids: ['1'] }, [])).toEqual({ kind: 'tag', tagId: '1' });
  expect(suggestedTag(proposal, [tag('2', 'contoso')])).toEqual({ kind: 'tag', tagId: '2' });
  expect(suggestedTag(proposal, [tag('2', 'Nordwind')])).toEqual({ kind: 'new', name: 'Contoso' });
  expect(suggestedTag({ name: 'Bank statement', tag_ids: [] }, [])).toEqual({ kind: 'new', name: 'Bank statement' });
});

it('makes the body for all documents, or for the chosen ones', () => {
  expect(tagBodyOf({ kind: 'new', name: 'Contoso' }, undefined)).toEqual({ new_tag: { name: 'Contoso' } });
  expect(tagBodyOf({ kind: 'tag', tagId: '1' }, ['a'])).toEqual({ tag_id: '1', document_ids: ['a'] });
  expect(tagBodyOf({ kind: 'none' }, undefined)).toEqual({});
});
