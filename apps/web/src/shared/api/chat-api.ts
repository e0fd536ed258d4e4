import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  approveBody,
  AskBody,
  AskRows,
  chatBody,
  latestTurnAnswer,
  Thread,
  threadList,
  toolList,
  UndoAnswer,
  UndoBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { documentPath } from './documents-api.ts';
import { requestUndescribed, sendUndescribed } from '../http/http.ts';

export type ChatRequest = z.input<typeof chatBody> & Pick<AskBody, 'scope'>;
type ApproveRequest = z.input<typeof approveBody>;
type ThreadList = z.infer<typeof threadList>;

/** Where conversations belong: to a document, or to no document, if they are about many. */
export interface ChatPlace {
  orgId: string;
  /** Empty for questions over many documents. */
  documentId: string;
}

/** Whether conversations of the place are about many documents. */
export const isOverMany = ({ documentId }: ChatPlace): boolean => documentId === '';

export const chatPath = (place: ChatPlace) =>
  isOverMany(place) ? `/v0/orgs/${place.orgId}/ask` : `${documentPath(place.orgId, place.documentId)}/chat`;

export const threadsKey = ({ orgId, documentId }: ChatPlace) => ['threads', orgId, documentId];

const threadPage = 50;

/** A document's conversations whose titles contain `search`, last used first, page by page. */
export function threadsQuery(place: ChatPlace, search = '') {
  return infiniteQueryOptions({
    queryKey: [...threadsKey(place), 'list', search],
    queryFn: ({ signal, pageParam: skip }) =>
      requestUndescribed<ThreadList>(`${chatPath(place)}/threads`, {
        query: { name_search: search, skip, limit: threadPage },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ skip, total_count }) => (skip + threadPage < total_count ? skip + threadPage : undefined),
    placeholderData: keepPreviousData,
  });
}

/** All tools with their argument schemas; they change only when the server restarts. */
export function toolsQuery(place: ChatPlace) {
  return queryOptions({
    queryKey: ['tools', place.orgId, isOverMany(place)],
    queryFn: ({ signal }) => requestUndescribed<z.infer<typeof toolList>>(`${chatPath(place)}/tools`, { signal }),
    staleTime: Infinity,
  });
}

export function readThread(place: ChatPlace, threadId: string, signal?: AbortSignal): Promise<Thread> {
  return requestUndescribed(`${chatPath(place)}/threads/${threadId}`, { signal });
}

/** The newest turn of a thread, in whichever process it runs. */
export function readLatestTurn(place: ChatPlace, threadId: string, signal: AbortSignal) {
  const path = `${chatPath(place)}/threads/${threadId}/latest_turn`;
  return requestUndescribed<z.infer<typeof latestTurnAnswer>>(path, { signal });
}

const activeStatuses = new Set(['running', 'awaiting_approval', 'awaiting_answers']);

/** The newest thread, if its turn runs or is pending: a second window opens it instead of an empty chat. */
export async function findActiveThread(place: ChatPlace, signal: AbortSignal): Promise<string | undefined> {
  const { threads } = await requestUndescribed<ThreadList>(`${chatPath(place)}/threads`, {
    query: { limit: 1 },
    signal,
  });
  const [newest] = threads;
  if (newest === undefined) return undefined;
  const { latest_turn } = await readLatestTurn(place, newest.id, signal);
  return latest_turn !== null && activeStatuses.has(latest_turn.status) ? newest.id : undefined;
}

export async function renameThread(place: ChatPlace, threadId: string, title: string): Promise<void> {
  await sendUndescribed(`${chatPath(place)}/threads/${threadId}`, { method: 'PATCH', body: { title } });
}

export async function deleteThread(place: ChatPlace, threadId: string): Promise<void> {
  await sendUndescribed(`${chatPath(place)}/threads/${threadId}`, { method: 'DELETE' });
}

export function stopTurn(place: ChatPlace, turnId: string): Promise<Response> {
  return sendUndescribed(`${chatPath(place)}/turns/${turnId}/stop`, { method: 'POST' });
}

/** Undoes every write of a turn, or none: a 409 names the objects that have changed since. */
export function undoTurn(place: ChatPlace, turnId: string, body: UndoBody = {}): Promise<UndoAnswer> {
  return requestUndescribed(`${chatPath(place)}/turns/${turnId}/undo`, { method: 'POST', body });
}

const eventStream = { accept: 'text/event-stream' };

export function openTurn(place: ChatPlace, body: ChatRequest, signal: AbortSignal): Promise<Response> {
  return sendUndescribed(chatPath(place), {
    method: 'POST',
    body: { ...body, stream: true },
    signal,
    headers: eventStream,
  });
}

export function openDecision(place: ChatPlace, body: ApproveRequest, signal: AbortSignal): Promise<Response> {
  const path = `${chatPath(place)}/approve`;
  return sendUndescribed(path, { method: 'POST', body: { ...body, stream: true }, signal, headers: eventStream });
}

/** Streams a turn's events after `lastEventId`; 0 replays it from the start. */
export function followTurn(
  place: ChatPlace,
  turnId: string,
  lastEventId: number,
  signal: AbortSignal,
): Promise<Response> {
  return sendUndescribed(`${chatPath(place)}/turns/${turnId}/events`, {
    signal,
    headers: { ...eventStream, 'last-event-id': String(lastEventId) },
  });
}

/** A citation of a conversation; `question` counts its questions from 0. */
export interface CitedRows {
  threadId: string;
  id: string;
  question: number;
}

const rowsPath = (place: ChatPlace, { threadId, id }: CitedRows) =>
  `${chatPath(place)}/threads/${threadId}/rows/${encodeURIComponent(id)}`;
const rowsPage = 100;

/** The documents behind a citation, page by page. */
export function citedRowsQuery(place: ChatPlace, cited: CitedRows) {
  return infiniteQueryOptions({
    queryKey: ['cited-rows', place.orgId, cited],
    queryFn: ({ signal, pageParam: skip }) =>
      requestUndescribed<AskRows>(rowsPath(place, cited), {
        query: { question: cited.question, skip, limit: rowsPage },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total_count }, _pages, skip) => (skip + rowsPage < total_count ? skip + rowsPage : undefined),
  });
}

/** All documents behind a citation, as CSV. */
export async function readCitedRowsAsCsv(place: ChatPlace, cited: CitedRows): Promise<Blob> {
  const query = { question: cited.question };
  const response = await sendUndescribed(rowsPath(place, cited), { query, headers: { accept: 'text/csv' } });
  return response.blob();
}
