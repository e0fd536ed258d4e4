import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  AgentConversation,
  AgentMessageBody,
  AgentMessageEvent,
  AppliedConversation,
  ApplyConversationBody,
} from '@docwright/contract';
import { requestJson, send } from '../http/http.ts';
import { readEvents } from '../http/turn-stream.ts';

const path = '/api/v2/agent/conversations';
export const conversationsKey = (orgId: string) => ['agent-conversations', orgId];

const runningPollMs = 1000;
/** Another tab may start a conversation. */
const idlePollMs = 5000;

/** The user's own conversations, last used first. */
export function conversationListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...conversationsKey(orgId), 'list', page],
    queryFn: ({ signal }) => requestJson(path, { query: page, orgId, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.conversations.some(({ is_running }) => is_running) === true ? 2 * runningPollMs : idlePollMs,
  });
}

export const conversationKey = (orgId: string, id: string) => [...conversationsKey(orgId), 'one', id];

export function conversationQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: conversationKey(orgId, id),
    queryFn: ({ signal }) => requestJson(`${path}/${id}`, { orgId, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.is_running === true ? runningPollMs : idlePollMs),
  });
}

export function startConversation(orgId: string, sourceId: string) {
  return requestJson(path, { orgId, method: 'POST', body: { source_id: sourceId } });
}

/** Sends a message and yields the events of the answer. */
export async function* sendToPipelineAgent(
  orgId: string,
  id: string,
  body: AgentMessageBody,
  signal: AbortSignal,
): AsyncGenerator<AgentMessageEvent> {
  const headers = { accept: 'text/event-stream' };
  const response = await send(`${path}/${id}/messages`, { orgId, method: 'POST', body, headers, signal });
  for await (const { data } of readEvents(response)) yield JSON.parse(data) as AgentMessageEvent;
}

/** Stops the answer in progress; finished steps stay. */
export function stopMessage(orgId: string, id: string): Promise<AgentConversation> {
  return requestJson(`${path}/${id}/stop`, { orgId, method: 'POST' });
}

export function abandonConversation(orgId: string, id: string): Promise<AgentConversation> {
  return requestJson(`${path}/${id}`, { orgId, method: 'PATCH', body: { status: 'abandoned' } });
}

export function resolveUncertainty(
  orgId: string,
  id: string,
  uncertaintyId: string,
  resolvedBy: string,
): Promise<AgentConversation> {
  const body = { resolved_by: resolvedBy };
  return requestJson(`${path}/${id}/uncertainties/${uncertaintyId}`, { orgId, method: 'PATCH', body });
}

export function applyConversation(
  orgId: string,
  id: string,
  body: ApplyConversationBody,
): Promise<AppliedConversation> {
  return requestJson(`${path}/${id}/apply`, { orgId, method: 'POST', body });
}
