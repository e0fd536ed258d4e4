import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  approveBody,
  chatBody,
  latestTurnAnswer,
  Thread,
  threadList,
  toolList,
  UndoAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { documentPath } from './documents-api.ts';
import { queryString, requestJson, send } from '../http/http.ts';

export type ChatRequest = z.input<typeof chatBody>;
export type ApproveRequest = z.input<typeof approveBody>;
export type ThreadList = z.infer<typeof threadList>;

/** Where one document's conversations are. */
export interface ChatPlace {
  orgId: string;
  documentId: string;
}

export const chatPath = ({ orgId, documentId }: ChatPlace) => `${documentPath(orgId, documentId)}/chat`;

export const threadsKey = ({ orgId, documentId }: ChatPlace) => ['threads', orgId, documentId];

const threadPage = 50;

/** The conversations about a document whose titles contain `search`, the last used first, page by page. */
export function threadsQuery(place: ChatPlace, search = '') {
  return infiniteQueryOptions({
    queryKey: [...threadsKey(place), 'list', search],
    queryFn: ({ signal, pageParam: skip }) =>
      requestJson<ThreadList>(
        `${chatPath(place)}/threads${queryString({ name_search: search, skip, limit: threadPage })}`,
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ skip, total_count }) => (skip + threadPage < total_count ? skip + threadPage : undefined),
    placeholderData: keepPreviousData,
  });
}

/** The tools there are, with the schemas of their arguments; the same for as long as the server runs. */
export function toolsQuery(place: ChatPlace) {
  return queryOptions({
    queryKey: ['tools', place.orgId],
    queryFn: ({ signal }) => requestJson<z.infer<typeof toolList>>(`${chatPath(place)}/tools`, { signal }),
    staleTime: Infinity,
  });
}

export function readThread(place: ChatPlace, threadId: string, signal?: AbortSignal): Promise<Thread> {
  return requestJson(`${chatPath(place)}/threads/${threadId}`, { signal });
}

/** How the newest turn of a thread stands, wherever it runs. */
export function readLatestTurn(place: ChatPlace, threadId: string, signal: AbortSignal) {
  const path = `${chatPath(place)}/threads/${threadId}/latest_turn`;
  return requestJson<z.infer<typeof latestTurnAnswer>>(path, { signal });
}

const active = new Set(['running', 'awaiting_approval', 'awaiting_answers']);

/** The newest conversation, where its turn runs or waits: another window shows it rather than an empty one. */
export async function activeThread(place: ChatPlace, signal: AbortSignal): Promise<string | undefined> {
  const { threads } = await requestJson<ThreadList>(`${chatPath(place)}/threads${queryString({ limit: 1 })}`, {
    signal,
  });
  const [newest] = threads;
  if (newest === undefined) return undefined;
  const { latest_turn } = await readLatestTurn(place, newest.id, signal);
  return latest_turn !== null && active.has(latest_turn.status) ? newest.id : undefined;
}

export async function renameThread(place: ChatPlace, threadId: string, title: string): Promise<void> {
  await send(`${chatPath(place)}/threads/${threadId}`, { method: 'PATCH', body: { title } });
}

export async function deleteThread(place: ChatPlace, threadId: string): Promise<void> {
  await send(`${chatPath(place)}/threads/${threadId}`, { method: 'DELETE' });
}

export function stopTurn(place: ChatPlace, turnId: string): Promise<Response> {
  return send(`${chatPath(place)}/turns/${turnId}/stop`, { method: 'POST' });
}

/** Takes back all that a turn changed, or nothing: 409 names what has changed since. */
export function undoTurn(place: ChatPlace, turnId: string): Promise<UndoAnswer> {
  return requestJson(`${chatPath(place)}/turns/${turnId}/undo`, { method: 'POST' });
}

const eventStream = { accept: 'text/event-stream' };

export function openTurn(place: ChatPlace, body: ChatRequest, signal: AbortSignal): Promise<Response> {
  return send(chatPath(place), { method: 'POST', body: { ...body, stream: true }, signal, headers: eventStream });
}

export function openDecision(place: ChatPlace, body: ApproveRequest, signal: AbortSignal): Promise<Response> {
  const path = `${chatPath(place)}/approve`;
  return send(path, { method: 'POST', body: { ...body, stream: true }, signal, headers: eventStream });
}

/** Goes on with a turn after event `lastEventId`; 0 replays it from the start. */
export function followTurn(
  place: ChatPlace,
  turnId: string,
  lastEventId: number,
  signal: AbortSignal,
): Promise<Response> {
  return send(`${chatPath(place)}/turns/${turnId}/events`, {
    signal,
    headers: { ...eventStream, 'last-event-id': String(lastEventId) },
  });
}
