import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Document,
  documentText,
  foundPlaces,
  patchDocumentBody,
  SplitAnswer,
  SplitBody,
} from '@docwright/contract';
import type { z } from 'zod';
import type { QueryFor } from '../http/described-request.ts';
import { queryString, requestJson, send } from '../http/http.ts';

export type DocumentText = z.infer<typeof documentText>;

export type DocumentSearch = QueryFor<'GET /v0/orgs/:org_id/documents'>;

export const documentsPath = (orgId: string) => `/v0/orgs/${orgId}/documents` as const;
export const documentPath = (orgId: string, documentId: string) => `${documentsPath(orgId)}/${documentId}` as const;
/** Event stream that emits at once and after each change of the query's result. */
export const documentListEventsPath = (orgId: string, search: DocumentSearch) =>
  `${documentsPath(orgId)}/events${queryString({ ...search })}`;
/** A small picture of the first page. */
export const picturePath = (orgId: string, documentId: string) => `${documentPath(orgId, documentId)}/picture`;
export const filePath = (orgId: string, documentId: string) => `${documentPath(orgId, documentId)}/file`;

/** Whether the text of the document is still being read, so that nothing can be made of it yet. A duplicate is not read. */
export const isBeingRead = ({ state, duplicate_of }: Pick<Document, 'state' | 'duplicate_of'>): boolean =>
  duplicate_of === undefined && (state === 'uploaded' || state === 'ocr_processing');

const busyStates = new Set(['uploaded', 'ocr_processing', 'llm_processing']);
export const isBusy = (document: Document) => document.duplicate_of === undefined && busyStates.has(document.state);

/** Prefix of the keys of all queries of lists. */
export const documentListKey = (orgId: string) => ['documents', orgId, 'list'];

/** The search whose count is the number of pending proposals. */
export const proposedCount: DocumentSearch = { stage: 'proposal', skip: 0, limit: 1 };

/** Not polled: the list page subscribes to `documentListEventsPath`. */
export function documentListQuery(orgId: string, search: DocumentSearch) {
  return queryOptions({
    queryKey: [...documentListKey(orgId), search],
    queryFn: ({ signal }) => requestJson(documentsPath(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

function readDocument(orgId: string, documentId: string, signal?: AbortSignal): Promise<Document> {
  return requestJson(documentPath(orgId, documentId), { signal });
}

/** Not polled: the document page subscribes to the document's events. */
export function documentQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', orgId, 'one', documentId],
    queryFn: ({ signal }) => readDocument(orgId, documentId, signal),
  });
}

/** Pages still in recognition get their text later; recognised text never changes. */
const textStaleTime = 15_000;

export function documentTextQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', orgId, 'text', documentId],
    queryFn: ({ signal }) => requestJson(`${documentPath(orgId, documentId)}/text`, { signal }),
    staleTime: textStaleTime,
  });
}

/** The text of one page. */
export function documentPageTextQuery(orgId: string, documentId: string, pageNumber: number) {
  return queryOptions({
    queryKey: [...documentTextQuery(orgId, documentId).queryKey, pageNumber],
    queryFn: ({ signal }) =>
      requestJson(`${documentPath(orgId, documentId)}/text`, { query: { page_num: pageNumber }, signal }),
    staleTime: textStaleTime,
  });
}

/** The words of one page with their bounding boxes. */
export function documentWordsQuery(orgId: string, documentId: string, pageNumber: number) {
  return queryOptions({
    queryKey: ['documents', orgId, 'words', documentId, pageNumber],
    queryFn: ({ signal }) =>
      requestJson(`${documentPath(orgId, documentId)}/words`, { query: { page_num: pageNumber }, signal }),
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

/** The proposed first pages of the documents in a file. */
export function splitProposalQuery(orgId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', orgId, 'split', documentId],
    queryFn: ({ signal }) => requestJson(`${documentPath(orgId, documentId)}/split`, { signal }),
    staleTime: Infinity,
  });
}

/** Creates a document of each range of pages; the original stays. */
export function splitDocument(orgId: string, documentId: string, body: SplitBody): Promise<SplitAnswer> {
  return requestJson(`${documentPath(orgId, documentId)}/split`, { method: 'POST', body });
}

/** Opens a PDF that waits for its password, which is used once. */
export function unlockDocument(orgId: string, documentId: string, password: string): Promise<Document> {
  return requestJson(`${documentPath(orgId, documentId)}/password`, { method: 'POST', body: { password } });
}

export async function deleteDocument(orgId: string, documentId: string): Promise<void> {
  await send(documentPath(orgId, documentId), { method: 'DELETE' });
}

/** Lets the agent prepare the document unattended; its results are a proposal. */
export function startAutoCreate(orgId: string, documentId: string): Promise<Document> {
  return requestJson(`${documentPath(orgId, documentId)}/auto_create`, { method: 'POST' });
}

/** Documents by their names, words and values; none for a text that is too short for a search. */
export function foundPlacesQuery(orgId: string, text: string, limit: number) {
  return queryOptions({
    queryKey: ['found-places', orgId, text, limit],
    queryFn: async ({ signal }): Promise<z.infer<typeof foundPlaces>> =>
      text.length < 2
        ? { places: [] }
        : await requestJson(`/v0/orgs/${orgId}/find`, { query: { q: text.slice(0, 200), limit }, signal }),
    staleTime: 5_000,
  });
}
