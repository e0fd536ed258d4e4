import type { Mention, Prompt, Schema, Tag } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { promptsQuery, schemasQuery, tagsQuery } from '../../../shared/api/library-api.ts';
import { promptListQuery } from '../../../shared/api/prompts-api.ts';
import { schemaListQuery } from '../../../shared/api/schemas-api.ts';
import { tagListQuery } from '../../../shared/api/tags-api.ts';
import { withoutMarks, type MentionChoice } from './mention-markup.ts';

const maxShown = 8;

const choice = (type: Mention['type'], id: string, name: string): MentionChoice => ({
  id: `${type}:${id}`,
  display: withoutMarks(name),
});

/** Everything that can be mentioned: the newest revisions of schemas and prompts, and tags. */
function mentionChoices(schemas: Schema[], prompts: Prompt[], tags: Tag[]): MentionChoice[] {
  return [
    ...schemas.map((schema) => choice('schema', schema.schema_revid, `${schema.name} v${schema.schema_version}`)),
    ...prompts.map((prompt) => choice('prompt', prompt.prompt_revid, `${prompt.name} v${prompt.prompt_version}`)),
    ...tags.map((tag) => choice('tag', tag.tag_id, tag.name)),
  ];
}

/** The choices whose name contains the query, prefix matches first. */
export function matchingChoices(choices: readonly MentionChoice[], query: string): MentionChoice[] {
  const text = query.trim().toLowerCase();
  const rank = ({ display }: MentionChoice) => (display.toLowerCase().startsWith(text) ? 0 : 1);
  return choices
    .filter(({ display, id }) => `${display} ${id.split(':')[0]}`.toLowerCase().includes(text))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, maxShown);
}

export interface MentionOffer {
  choices: MentionChoice[];
  /** Searches on the server; undefined if all choices are loaded. */
  search: ((query: string) => Promise<MentionChoice[]>) | undefined;
}

/** Nothing can be mentioned. */
export const noMentions: MentionOffer = { choices: [], search: undefined };

/** The choices for mentions, refreshed when tools change schemas, prompts or tags. */
export function useMentionOffer(orgId: string): MentionOffer {
  const queryClient = useQueryClient();
  const schemas = useQuery(schemasQuery(orgId)).data;
  const prompts = useQuery(promptsQuery(orgId)).data;
  const tags = useQuery(tagsQuery(orgId)).data;
  const [results, setResults] = useState<MentionChoice[]>([]);
  const choices = useMemo(() => {
    const loaded = mentionChoices(schemas?.schemas ?? [], prompts?.prompts ?? [], tags?.tags ?? []);
    const loadedIds = new Set(loaded.map(({ id }) => id));
    return [...loaded, ...results.filter(({ id }) => !loadedIds.has(id))];
  }, [schemas, prompts, tags, results]);
  const isComplete =
    (schemas?.total_count ?? 0) <= (schemas?.schemas.length ?? 0) &&
    (prompts?.total_count ?? 0) <= (prompts?.prompts.length ?? 0) &&
    (tags?.total_count ?? 0) <= (tags?.tags.length ?? 0);
  const search = useCallback(
    async (query: string): Promise<MentionChoice[]> => {
      const page = { name_search: query, skip: 0, limit: maxShown };
      const [schemaPage, promptPage, tagPage] = await Promise.all([
        queryClient.fetchQuery(schemaListQuery(orgId, page)),
        queryClient.fetchQuery(promptListQuery(orgId, page)),
        queryClient.fetchQuery(tagListQuery(orgId, page)),
      ]);
      const matching = mentionChoices(schemaPage.schemas, promptPage.prompts, tagPage.tags);
      setResults((present) => [...present.filter(({ id }) => !matching.some((match) => match.id === id)), ...matching]);
      return matching;
    },
    [orgId, queryClient],
  );
  return useMemo(() => ({ choices, search: isComplete ? undefined : search }), [choices, isComplete, search]);
}
