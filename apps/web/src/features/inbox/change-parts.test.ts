import type { Approval } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { changeParts } from './change-parts.ts';

const call = (over: Partial<Approval>): Approval => ({
  turn_id: 't',
  call_id: 'c',
  tool: 'update_document',
  arguments: '{}',
  effect: 'read_write',
  summary: 'Tag it',
  document_id: 'd',
  document_name: 'a.pdf',
  thread_id: 'h',
  requested_by: 'u',
  waiting_since: '2026-11-22T10:00:00Z',
  expires_at: '2026-11-29T10:00:00Z',
  group: 'g',
  ...over,
});
const field = { kind: 'field', path: 'total', old_value: null, new_value: 6, page_num: 1 } as const;
const replace = {
  kind: 'replace',
  version: 2,
  is_verified: true,
  is_edited: true,
  value_count: 9,
  edited_count: 1,
} as const;

describe('the short change of a call', () => {
  it('has the old and the new value', () => {
    expect(changeParts(call({ preview: field }), [])).toEqual([
      { kind: 'removed', text: 'not given' },
      { kind: 'added', text: '6' },
    ]);
  });

  it('has the lines that differ', () => {
    const preview = { kind: 'difference', title: 'Tags', before: 'name\nopen', after: 'name\npaid' } as const;
    expect(changeParts(call({ preview }), [])).toEqual([
      { kind: 'removed', text: 'open' },
      { kind: 'added', text: 'paid' },
    ]);
  });

  it('has no punctuation of JSON', () => {
    const after = 'Name: a.pdf\nMetadata: {\n  "status": "paid"\n}';
    const preview = { kind: 'difference', title: 'a.pdf', before: 'Name: a.pdf\nMetadata: {}', after } as const;
    expect(changeParts(call({ preview }), [])).toEqual([{ kind: 'added', text: 'status: paid' }]);
  });

  it('warns of corrections that would be lost', () => {
    const preview = { ...replace, edited_values: [] };
    expect(changeParts(call({ preview }), []).map(({ text }) => text)).toEqual(['verified', 'loses 1 edit']);
  });

  it('has the arguments that differ, except the document', () => {
    const written = JSON.stringify({ document_id: 'd', file: 'a.pdf', to: { folder: 'paid' } });
    expect(changeParts(call({ arguments: written }), ['document_id', 'file', 'to.folder'])).toEqual([
      { kind: 'plain', text: 'paid' },
    ]);
  });
});
