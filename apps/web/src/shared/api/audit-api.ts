import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditEntry, auditList, AuditUndoAnswer, UndoBody } from '@docwright/contract';
import type { z } from 'zod';
import type { ChatPlace } from './chat-api.ts';
import type { QueryFor } from '../http/described-request.ts';
import { requestJson } from '../http/http.ts';

const pageSize = 100;
/** Older entries are not read. */
const maxPages = 5;

export const auditKey = ({ orgId, documentId }: ChatPlace) => ['audit', orgId, documentId];

/** The audit entries of a document, newest first. */
export function auditQuery(place: ChatPlace) {
  return queryOptions({
    queryKey: auditKey(place),
    staleTime: 10_000,
    queryFn: async ({ signal }): Promise<AuditEntry[]> => {
      const entries: AuditEntry[] = [];
      for (let page = 0; page < maxPages; page += 1) {
        const query = { document_id: place.documentId, skip: page * pageSize, limit: pageSize };
        const answer = await requestJson(`/v0/orgs/${place.orgId}/audit`, { query, signal });
        entries.push(...answer.entries);
        if (entries.length >= answer.total_count || answer.entries.length === 0) break;
      }
      return entries;
    },
  });
}

/** The filters of the audit page. */
export type AuditFilter = Pick<QueryFor<'GET /v0/orgs/:org_id/audit'>, 'actor' | 'origin' | 'tool' | 'document_id'>;

type AuditPage = z.infer<typeof auditList>;

export function readAuditPage(
  orgId: string,
  filter: AuditFilter,
  skip: number,
  limit: number,
  signal?: AbortSignal,
): Promise<AuditPage> {
  return requestJson(`/v0/orgs/${orgId}/audit`, { query: { ...filter, skip, limit }, signal });
}

/** One page of the organization's audit log, newest first. */
export function auditListQuery(orgId: string, filter: AuditFilter, skip: number, limit: number) {
  return queryOptions({
    queryKey: ['audit', orgId, 'list', filter, skip, limit],
    queryFn: ({ signal }) => readAuditPage(orgId, filter, skip, limit, signal),
    placeholderData: keepPreviousData,
  });
}

/** The names of the tools that the audit log has. */
export function auditToolsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['audit', orgId, 'tools'],
    queryFn: ({ signal }) => requestJson(`/v0/orgs/${orgId}/audit/tools`, { signal }),
  });
}

/** Undoes a single write; rejected if its object has changed since. */
export function undoEntry(orgId: string, entryId: string, body: UndoBody = {}): Promise<AuditUndoAnswer> {
  return requestJson(`/v0/orgs/${orgId}/audit/${entryId}/undo`, { method: 'POST', body });
}
