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

/** All that can be mentioned: newest revisions of schemas and prompts with their version, and tags. */
function mentionChoices(schemas: Schema[], prompts: Prompt[], tags: Tag[]): MentionChoice[] {
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
    .slice(0, maxShown);
}

export interface MentionOffer {
  choices: MentionChoice[];
  /** Where the lists hold more than was loaded: those that match, asked for at the server. */
  search: ((query: string) => Promise<MentionChoice[]>) | undefined;
}

/** Refreshed with the lists themselves, which tools that change them make old. */
export function useMentionOffer(orgId: string): MentionOffer {
  const queryClient = useQueryClient();
  const schemas = useQuery(schemasQuery(orgId)).data;
  const prompts = useQuery(promptsQuery(orgId)).data;
  const tags = useQuery(tagsQuery(orgId)).data;
  const [found, setFound] = useState<MentionChoice[]>([]);
  const choices = useMemo(() => {
    const loaded = mentionChoices(schemas?.schemas ?? [], prompts?.prompts ?? [], tags?.tags ?? []);
    const known = new Set(loaded.map(({ id }) => id));
    return [...loaded, ...found.filter(({ id }) => !known.has(id))];
  }, [schemas, prompts, tags, found]);
  const isWhole =
    (schemas?.total_count ?? 0) <= (schemas?.schemas.length ?? 0) &&
    (prompts?.total_count ?? 0) <= (prompts?.prompts.length ?? 0) &&
    (tags?.total_count ?? 0) <= (tags?.tags.length ?? 0);
  const search = useCallback(
    async (query: string): Promise<MentionChoice[]> => {
      const page = { name_search: query, skip: 0, limit: maxShown };
      const [some, others, more] = await Promise.all([
        queryClient.fetchQuery(schemaListQuery(orgId, page)),
        queryClient.fetchQuery(promptListQuery(orgId, page)),
        queryClient.fetchQuery(tagListQuery(orgId, page)),
      ]);
      const matching = mentionChoices(some.schemas, others.prompts, more.tags);
      setFound((before) => [...before.filter(({ id }) => !matching.some((each) => each.id === id)), ...matching]);
      return matching;
    },
    [orgId, queryClient],
  );
  return useMemo(() => ({ choices, search: isWhole ? undefined : search }), [choices, isWhole, search]);
}
