import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { documentList, promptList, scheduleList, schemaList, tagList } from '@docwright/contract';
import type { z } from 'zod';
import { collectionListQuery } from '../../api/collections-api.ts';
import { queryString, requestJson } from '../../http/http.ts';
import { foundCollections, foundPlaces, nearestFirst, type Found } from './found.ts';

/** The server searches no collections by name: the newest are looked through here. */
const mostCollections = 100;

/** Six of each kind whose names hold the text, and the places of the product; without a text, what changed last. */
export function foundQuery(orgId: string, text: string) {
  return queryOptions({
    queryKey: ['found', orgId, text],
    queryFn: async ({ client, signal }): Promise<Found[]> => {
      const query = queryString({ name_search: text, limit: 6 });
      const get = <Answer>(plural: string) => requestJson<Answer>(`/v0/orgs/${orgId}/${plural}${query}`, { signal });
      const [{ documents }, { schemas }, { prompts }, { tags }, { schedules }, { collections }] = await Promise.all([
        get<z.infer<typeof documentList>>('documents'),
        get<z.infer<typeof schemaList>>('schemas'),
        get<z.infer<typeof promptList>>('prompts'),
        get<z.infer<typeof tagList>>('tags'),
        get<z.infer<typeof scheduleList>>('schedules'),
        client.fetchQuery({ ...collectionListQuery(orgId, { skip: 0, limit: mostCollections }), staleTime: 10_000 }),
      ]);
      return nearestFirst(
        [
          ...documents.map(({ id, document_name }) => ({ kind: 'document' as const, id, name: document_name })),
          ...schemas.map(({ schema_id, name }) => ({ kind: 'schema' as const, id: schema_id, name })),
          ...prompts.map(({ prompt_id, name }) => ({ kind: 'prompt' as const, id: prompt_id, name })),
          ...tags.map(({ tag_id, name }) => ({ kind: 'tag' as const, id: tag_id, name })),
          ...schedules.map(({ id, name }) => ({ kind: 'schedule' as const, id, name })),
          ...foundCollections(collections, text),
          ...foundPlaces(text),
        ],
        text,
      );
    },
    placeholderData: keepPreviousData,
  });
}
