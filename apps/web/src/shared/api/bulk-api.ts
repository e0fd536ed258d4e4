import { queryOptions } from '@tanstack/react-query';
import type {
  CreateDocumentBulkBody,
  Document,
  DocumentBulk,
  EstimateDocumentBulkBody,
  TrashListQuery,
  UndoBody,
} from '@docwright/contract';
import { documentPath, documentsPath } from './documents-api.ts';
import { requestJson, send } from '../http/http.ts';

export const bulkPath = (orgId: string) => `${documentsPath(orgId)}/bulk` as const;

/** Starts one job over many documents. */
export function startBulk(orgId: string, body: CreateDocumentBulkBody): Promise<DocumentBulk> {
  return requestJson(bulkPath(orgId), { method: 'POST', body });
}

/** The user's newest job, so that an active one is shown again after a reload. */
export async function newestBulk(orgId: string, signal: AbortSignal): Promise<DocumentBulk | undefined> {
  const { bulk_jobs: jobs } = await requestJson(bulkPath(orgId), { query: { limit: 1 }, signal });
  return jobs[0];
}

/** What an extraction of these documents would do and cost; starts nothing. */
export function bulkEstimateQuery(orgId: string, body: EstimateDocumentBulkBody) {
  return queryOptions({
    queryKey: ['bulk-estimate', orgId, body],
    queryFn: ({ signal }) => requestJson(`${bulkPath(orgId)}/estimate`, { method: 'POST', body, signal }),
    retry: false,
    gcTime: 0,
  });
}

export function stopBulk(orgId: string, bulkId: string): Promise<DocumentBulk> {
  return requestJson(`${bulkPath(orgId)}/${bulkId}/stop`, { method: 'POST' });
}

/** Undoes a job's changes; answers with the job while the undo runs. */
export function undoBulk(orgId: string, bulkId: string, body: UndoBody): Promise<DocumentBulk> {
  return requestJson(`${bulkPath(orgId)}/${bulkId}/undo`, { method: 'POST', body });
}

const trashKey = (orgId: string) => ['documents', orgId, 'trash'];

/** Deleted documents, last deleted first. */
export function trashQuery(
  orgId: string,
  query: Pick<TrashListQuery, 'name_search' | 'skip' | 'limit' | 'exact_count'>,
) {
  return queryOptions({
    queryKey: [...trashKey(orgId), query],
    queryFn: ({ signal }) => requestJson(`${documentsPath(orgId)}/trash`, { query, signal }),
  });
}

export function restoreDocument(orgId: string, documentId: string): Promise<Document> {
  return requestJson(`${documentPath(orgId, documentId)}/restore`, { method: 'POST' });
}

export async function purgeDocument(orgId: string, documentId: string): Promise<void> {
  await send(`${documentsPath(orgId)}/trash/${documentId}`, { method: 'DELETE' });
}
