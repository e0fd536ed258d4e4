import type { Prompt } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { differenceLines } from '../../shared/difference/difference-lines.ts';
import { promptText } from './prompt-text.ts';

const first: Prompt = {
  prompt_id: 'p',
  prompt_revid: 'r1',
  prompt_version: 1,
  name: 'Invoices',
  content: 'Read the total.',
  schema_id: 's',
  schema_version: 1,
  tag_ids: ['b', 'a'],
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'u',
};
const text = (prompt: Prompt) => promptText(prompt, 'Invoice', (id) => `tag ${id}`);
const changes = (before: Prompt, after: Prompt) =>
  differenceLines(text(before), text(after))
    .filter(({ kind }) => kind !== 'same')
    .map(({ text: line }) => line);

describe('two versions of a prompt', () => {
  it('differ in content and settings', () => {
    const second = { ...first, schema_version: 2, content: 'Read the total and the date.' };
    expect(changes(first, second)).toEqual([
      'Schema: Invoice, version 1',
      'Schema: Invoice, version 2',
      'Read the total.',
      'Read the total and the date.',
    ]);
  });

  it('do not differ by the order of their tags', () => {
    expect(changes(first, { ...first, tag_ids: ['a', 'b'] })).toEqual([]);
  });
});
