import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  AgentConversation,
  agentConversationList,
  AgentMessageBody,
  AgentMessageEvent,
  AppliedConversation,
  ApplyConversationBody,
  createdAgentConversation,
} from '@docwright/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { z } from 'zod';
import { inOrganization, queryString, requestJson, send } from '../http/http.ts';

const path = '/api/v2/agent/conversations';
export const conversationsKey = (orgId: string) => ['agent-conversations', orgId];

const runningPollMs = 1000;
/** Another tab may start a conversation. */
const idlePollMs = 5000;

/** The user's own conversations, last used first. */
export function conversationListQuery(orgId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...conversationsKey(orgId), 'list', page],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof agentConversationList>>(
        path + queryString({ ...page }),
        inOrganization(orgId, { signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.conversations.some(({ is_running }) => is_running) === true ? 2 * runningPollMs : idlePollMs,
  });
}

export const conversationKey = (orgId: string, id: string) => [...conversationsKey(orgId), 'one', id];

export function conversationQuery(orgId: string, id: string) {
  return queryOptions({
    queryKey: conversationKey(orgId, id),
    queryFn: ({ signal }) => requestJson<AgentConversation>(`${path}/${id}`, inOrganization(orgId, { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.is_running === true ? runningPollMs : idlePollMs),
  });
}

export function startConversation(orgId: string, sourceId: string): Promise<z.infer<typeof createdAgentConversation>> {
  return requestJson(path, inOrganization(orgId, { method: 'POST', body: { source_id: sourceId } }));
}

/** Sends a message and yields the events of the answer. */
export async function* sendToPipelineAgent(
  orgId: string,
  id: string,
  body: AgentMessageBody,
  signal: AbortSignal,
): AsyncGenerator<AgentMessageEvent> {
  const headers = { accept: 'text/event-stream' };
  const response = await send(
    `${path}/${id}/messages`,
    inOrganization(orgId, { method: 'POST', body, headers, signal }),
  );
  if (!response.body) return;
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of frames) yield JSON.parse(data) as AgentMessageEvent;
}

/** Stops the answer in progress; finished steps stay. */
export function stopMessage(orgId: string, id: string): Promise<AgentConversation> {
  return requestJson(`${path}/${id}/stop`, inOrganization(orgId, { method: 'POST' }));
}

export function abandonConversation(orgId: string, id: string): Promise<AgentConversation> {
  return requestJson(`${path}/${id}`, inOrganization(orgId, { method: 'PATCH', body: { status: 'abandoned' } }));
}

export function resolveUncertainty(
  orgId: string,
  id: string,
  uncertaintyId: string,
  resolvedBy: string,
): Promise<AgentConversation> {
  const body = { resolved_by: resolvedBy };
  return requestJson(`${path}/${id}/uncertainties/${uncertaintyId}`, inOrganization(orgId, { method: 'PATCH', body }));
}

export function applyConversation(
  orgId: string,
  id: string,
  body: ApplyConversationBody,
): Promise<AppliedConversation> {
  return requestJson(`${path}/${id}/apply`, inOrganization(orgId, { method: 'POST', body }));
}
