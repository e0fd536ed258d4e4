import type { Prompt } from '@docwright/contract';
import { readingLines } from './reading-choice.ts';

/** A version of a prompt as text to compare: its settings, then its content. */
export function promptText(prompt: Prompt, schemaName: string | undefined, tagName: (id: string) => string): string {
  const schema =
    prompt.schema_id === undefined
      ? 'none'
      : `${schemaName ?? prompt.schema_id}, version ${prompt.schema_version ?? '?'}`;
  const tags = prompt.tag_ids.map(tagName).sort().join(', ');
  return [
    `Schema: ${schema}`,
    `Model: ${prompt.model ?? 'the default'}`,
    ...(prompt.examples === undefined ? [] : [`Examples: ${prompt.examples.count}`]),
    ...readingLines(prompt),
    `Tags: ${tags === '' ? 'none' : tags}`,
    '',
    prompt.content,
  ].join('\n');
}
