import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditEntry, auditList, AuditUndoAnswer } from '@docwright/contract';
import type { z } from 'zod';
import type { ChatPlace } from './chat-api.ts';
import { queryString, requestJson } from '../http/http.ts';

const page = 100;
/** Older entries than these are not looked through. */
const maxPages = 5;

export const auditKey = ({ orgId, documentId }: ChatPlace) => ['audit', orgId, documentId];

/** What was done about a document, the newest first. */
export function auditQuery(place: ChatPlace) {
  return queryOptions({
    queryKey: auditKey(place),
    staleTime: 10_000,
    queryFn: async ({ signal }): Promise<AuditEntry[]> => {
      const entries: AuditEntry[] = [];
      for (let read = 0; read < maxPages; read += 1) {
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

/** What the audit page is filtered by. */
export interface AuditFilter {
  actor?: string | undefined;
  origin?: string | undefined;
  tool?: string | undefined;
  document_id?: string | undefined;
}

type AuditPage = z.infer<typeof auditList>;

export function auditPageQuery(
  orgId: string,
  filter: AuditFilter,
  skip: number,
  limit: number,
  signal?: AbortSignal,
): Promise<AuditPage> {
  return requestJson(`/v0/orgs/${orgId}/audit${queryString({ ...filter, skip, limit })}`, { signal });
}

/** One page of the organization's audit, the newest first. */
export function auditListQuery(orgId: string, filter: AuditFilter, skip: number, limit: number) {
  return queryOptions({
    queryKey: ['audit', orgId, 'list', filter, skip, limit],
    queryFn: ({ signal }) => auditPageQuery(orgId, filter, skip, limit, signal),
    placeholderData: keepPreviousData,
  });
}

/** Takes a single write back; refused where its object has changed since. */
export function undoEntry(orgId: string, entryId: string): Promise<AuditUndoAnswer> {
  return requestJson(`/v0/orgs/${orgId}/audit/${entryId}/undo`, { method: 'POST' });
}
