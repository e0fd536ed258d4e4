import type { AgentConversation, AgentMessageBody, AgentMessageEvent } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';
import {
  conversationKey,
  conversationQuery,
  conversationsKey,
  sendToPipelineAgent,
  stopMessage,
} from '../../../shared/api/pipeline-agent-api.ts';
import { createFrameBatch } from '../../../agent-ui/frame-batch.ts';
import { setupReducer } from './setup-reducer.ts';
import { emptySetup, type SetupNotice } from './setup-state.ts';

const retryMs = 2000;
/** Whether trying again is useless, such as for a deleted conversation. */
const isFinal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

export type Setup = ReturnType<typeof useSetup>;

/** One conversation with its stored messages and the answer streamed to this tab. */
export function useSetup(orgId: string, id: string, onRefused: (message: string) => void) {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(setupReducer, emptySetup);
  const { answering } = state;
  const isStreamed = answering !== undefined;
  const query = conversationQuery(orgId, id);
  const read = useQuery({ ...query, ...(isStreamed ? { refetchInterval: false as const } : {}) });
  const conversation = read.data;
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const key = conversationKey(orgId, id);
  const show = (next: AgentConversation) => queryClient.setQueryData(key, next);

  /** Reloads the conversation, with retries while the server is unreachable, and drops the streamed answer. */
  const reloadConversation = async (signal: AbortSignal) => {
    let reloaded: AgentConversation | undefined;
    while (!signal.aborted) {
      try {
        await queryClient.cancelQueries({ queryKey: key });
        reloaded = await queryClient.fetchQuery({ ...query, staleTime: 0, retry: false });
        break;
      } catch (error) {
        if (isFinal(error)) break;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    if (signal.aborted) return undefined;
    dispatch({ type: 'settled' });
    void queryClient.invalidateQueries({ queryKey: [...conversationsKey(orgId), 'list'] });
    return reloaded;
  };

  const answer = async (body: AgentMessageBody, messageCount: number, signal: AbortSignal) => {
    const { message } = body;
    const batch = createFrameBatch<AgentMessageEvent>((events) => dispatch({ type: 'events', events }));
    let isOver = false;
    try {
      for await (const event of sendToPipelineAgent(orgId, id, body, signal)) {
        batch.add(event);
        isOver ||= event.type === 'done' || event.type === 'error';
        // The findings of a sub-agent are part of the conversation, not of its events.
        if (event.type === 'subagent_end') void queryClient.invalidateQueries({ queryKey: key });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status > 0) {
        dispatch({ type: 'refused', notice: noticeOf(error) });
        onRefused(message);
        void queryClient.invalidateQueries({ queryKey: key });
        return;
      }
    } finally {
      if (!signal.aborted) batch.flush();
    }
    if (signal.aborted) return;
    if (!isOver) dispatch({ type: 'lost' });
    const reloaded = await reloadConversation(signal);
    if (isOver || reloaded === undefined || reloaded.is_running || reloaded.messages.length > messageCount) return;
    dispatch({ type: 'noticeShown', notice: notReceived });
    onRefused(message);
  };

  const isRunning = answering !== undefined || conversation?.is_running === true;
  return {
    conversation,
    loadError: read.error,
    reload: () => void read.refetch(),
    state,
    /** Whether a message is being answered, in this tab or elsewhere. */
    isRunning,
    /** Sends a message; returns false while another is being answered. */
    send(message: string, model: string | undefined) {
      if (conversation === undefined || isRunning || sending.current?.signal.aborted === false) return false;
      const controller = new AbortController();
      sending.current = controller;
      const { messages, current_pipeline } = conversation;
      dispatch({ type: 'sent', message, messageCount: messages.length, before: current_pipeline });
      const body = { message, ...(model === undefined ? {} : { model }) };
      void answer(body, messages.length, controller.signal).finally(() => {
        if (sending.current === controller) sending.current = undefined;
      });
      return true;
    },
    stop: () => {
      stopMessage(orgId, id).then(show, (error: unknown) => {
        // The answer has finished meanwhile.
        if (error instanceof ApiError && error.status === 409) void read.refetch();
        else dispatch({ type: 'noticeShown', notice: noticeOf(error) });
      });
    },
    /** Shows a conversation returned by the server. */
    show,
  };
}

const notReceived: SetupNotice = {
  code: 'unreachable',
  message: 'The message did not reach the server. Send it again from below.',
  sent: undefined,
};

const noticeOf = (error: unknown): SetupNotice => ({
  code: error instanceof ApiError ? error.code : 'unknown',
  message: messageOf(error),
  sent: undefined,
});
