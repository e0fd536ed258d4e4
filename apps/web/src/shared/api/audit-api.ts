import { queryOptions } from '@tanstack/react-query';
import type { AuditEntry, auditList } from '@docwright/contract';
import type { z } from 'zod';
import type { ChatPlace } from './chat-api.ts';
import { queryString, requestJson } from '../http/http.ts';

const page = 100;
/** Older entries than these are not looked through. */
const mostPages = 5;

export const auditKey = ({ orgId, documentId }: ChatPlace) => ['audit', orgId, documentId];

/** What was done about a document, the newest first. */
export function auditQuery(place: ChatPlace) {
  return queryOptions({
    queryKey: auditKey(place),
    staleTime: 10_000,
    queryFn: async ({ signal }): Promise<AuditEntry[]> => {
      const entries: AuditEntry[] = [];
      for (let read = 0; read < mostPages; read += 1) {
        const query = queryString({ document_id: place.documentId, skip: read * page, limit: page });
        const answer = await requestJson<z.infer<typeof auditList>>(`/v0/orgs/${place.orgId}/audit${query}`, {
          signal,
        });
        entries.push(...answer.entries);
        if (entries.length >= answer.total_count || answer.entries.length === 0) break;
      }
      return entries;
    },
  });
}
