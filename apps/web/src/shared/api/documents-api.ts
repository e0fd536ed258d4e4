import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Document,
  documentList,
  documentText,
  documentWords,
  patchDocumentBody,
  SplitAnswer,
  SplitBody,
  SplitProposal,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send } from '../http/http.ts';

export type DocumentList = z.infer<typeof documentList>;
export type DocumentText = z.infer<typeof documentText>;

export interface DocumentSearch {
  name_search?: string | undefined;
  tag_ids?: string[] | undefined;
  state?: string | undefined;
  auto_create?: 'running' | 'proposed' | 'failed' | undefined;
  sort?: string;
  order?: 'asc' | 'desc';
  skip: number;
  limit: number;
}

export const documentsPath = (orgId: string) => `/v0/orgs/${orgId}/documents`;
export const documentPath = (orgId: string, documentId: string) => `${documentsPath(orgId)}/${documentId}`;
/** What this query finds has changed: an event of the server, at once and after each change. */
export const documentListEventsPath = (orgId: string, search: DocumentSearch) =>
  `${documentsPath(orgId)}/events${queryString({ ...search })}`;
export const filePath = (orgId: string, documentId: string) => `${documentPath(orgId, documentId)}/file`;

const busyStates = new Set(['uploaded', 'ocr_processing', 'llm_processing']);
export const isBusy = (document: Document) => busyStates.has(document.state);

/** The page of the list follows it by its events (`documentListEventsPath`). */
export function documentListQuery(orgId: string, search: DocumentSearch) {
  return queryOptions({
    queryKey: ['documents', orgId, 'list', search],
    queryFn: ({ signal }) => requestJson<DocumentList>(documentsPath(orgId) + queryString({ ...search }), { signal }),
    placeholderData: keepPreviousData,
  });
}

export function readDocument(orgId: string, documentId: string, signal?: AbortSignal): Promise<Document> {
  return requestJson(documentPath(orgId, documentId), { signal });
}

/** Its page follows it by its events. */
export function documentQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', orgId, 'one', documentId],
    queryFn: ({ signal }) => readDocument(orgId, documentId, signal),
  });
}

/** While pages are still being recognised their text comes later; afterwards it stays. */
const textStaleTime = 15_000;

export function documentTextQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', orgId, 'text', documentId],
    queryFn: ({ signal }) => requestJson<DocumentText>(`${documentPath(orgId, documentId)}/text`, { signal }),
    staleTime: textStaleTime,
  });
}

/** The text of one page alone. */
export function documentPageTextQuery(orgId: string, documentId: string, pageNumber: number) {
  return queryOptions({
    queryKey: [...documentTextQuery(orgId, documentId).queryKey, pageNumber],
    queryFn: ({ signal }) => {
      const query = queryString({ page_num: pageNumber });
      return requestJson<DocumentText>(`${documentPath(orgId, documentId)}/text${query}`, { signal });
    },
    staleTime: textStaleTime,
  });
}

/** The words of one page with their places. */
export function documentWordsQuery(orgId: string, documentId: string, pageNumber: number) {
  return queryOptions({
    queryKey: ['documents', orgId, 'words', documentId, pageNumber],
    queryFn: ({ signal }) => {
      const query = queryString({ page_num: pageNumber });
      return requestJson<z.infer<typeof documentWords>>(`${documentPath(orgId, documentId)}/words${query}`, { signal });
    },
    staleTime: textStaleTime,
  });
}

export function patchDocument(
  orgId: string,
  documentId: string,
  body: z.input<typeof patchDocumentBody>,
): Promise<Document> {
  return requestJson(documentPath(orgId, documentId), { method: 'PATCH', body });
}

/** Where the documents of a file begin. */
export function splitProposalQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', orgId, 'split', documentId],
    queryFn: ({ signal }) => requestJson<SplitProposal>(`${documentPath(orgId, documentId)}/split`, { signal }),
    staleTime: Infinity,
  });
}

/** Makes documents of pages; the original stays. */
export function splitDocument(orgId: string, documentId: string, body: SplitBody): Promise<SplitAnswer> {
  return requestJson(`${documentPath(orgId, documentId)}/split`, { method: 'POST', body });
}

export async function deleteDocument(orgId: string, documentId: string): Promise<void> {
  await send(documentPath(orgId, documentId), { method: 'DELETE' });
}

/** Lets the agent prepare the document without a person; what it makes is a proposal. */
export function startAutoCreate(orgId: string, documentId: string): Promise<Document> {
  return requestJson(`${documentPath(orgId, documentId)}/auto_create`, { method: 'POST' });
}
