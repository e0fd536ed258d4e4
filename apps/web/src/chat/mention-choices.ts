import type { Mention, Prompt, Schema, Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { promptsQuery, schemasQuery, tagsQuery } from '../api/library-api.ts';
import { withoutMarks, type MentionChoice } from './mention-markup.ts';

const mostShown = 8;

const choice = (type: Mention['type'], id: string, name: string): MentionChoice => ({
  id: `${type}:${id}`,
  display: withoutMarks(name),
});

/** All that can be mentioned: newest revisions of schemas and prompts with their version, and tags. */
export function mentionChoices(schemas: Schema[], prompts: Prompt[], tags: Tag[]): MentionChoice[] {
  return [
    ...schemas.map((each) => choice('schema', each.schema_revid, `${each.name} v${each.schema_version}`)),
    ...prompts.map((each) => choice('prompt', each.prompt_revid, `${each.name} v${each.prompt_version}`)),
    ...tags.map((each) => choice('tag', each.tag_id, each.name)),
  ];
}

/** Those whose name contains what was typed after the `@`, the ones that begin with it first. */
export function matchingChoices(choices: readonly MentionChoice[], query: string): MentionChoice[] {
  const wanted = query.trim().toLowerCase();
  const rank = ({ display }: MentionChoice) => (display.toLowerCase().startsWith(wanted) ? 0 : 1);
  return choices
    .filter(({ display, id }) => `${display} ${id.split(':')[0]}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostShown);
}

/** Refreshed with the lists themselves, which tools that change them make old. */
export function useMentionChoices(orgId: string): MentionChoice[] {
  const schemas = useQuery(schemasQuery(orgId)).data?.schemas;
  const prompts = useQuery(promptsQuery(orgId)).data?.prompts;
  const tags = useQuery(tagsQuery(orgId)).data?.tags;
  return useMemo(() => mentionChoices(schemas ?? [], prompts ?? [], tags ?? []), [schemas, prompts, tags]);
}
