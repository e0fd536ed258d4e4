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
import { emptySetup, type SetupNotice, type SetupState } from './setup-state.ts';

const retryMs = 2000;
/** Whether trying again is useless, such as for a deleted conversation. */
const isFinal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

export interface Setup {
  conversation: AgentConversation | undefined;
  loadError: Error | null;
  reload: () => void;
  state: SetupState;
  /** Whether a message is being answered, in this tab or elsewhere. */
  isRunning: boolean;
  /** Sends a message; returns false while another is being answered. */
  say: (message: string, model: string | undefined) => boolean;
  stop: () => void;
  /** Shows a conversation returned by the server. */
  take: (conversation: AgentConversation) => void;
}

/** One conversation with its stored messages and the answer streamed to this tab. */
export function useSetup(orgId: string, id: string, onRefused: (message: string) => void): Setup {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(setupReducer, emptySetup);
  const { answering } = state;
  const isStreamed = answering !== undefined;
  const query = conversationQuery(orgId, id);
  const read = useQuery({ ...query, ...(isStreamed ? { refetchInterval: false as const } : {}) });
  const conversation = read.data;
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const key = conversationKey(orgId, id);
  const take = (next: AgentConversation) => queryClient.setQueryData(key, next);

  /** Reloads the conversation, with retries while the server is unreachable, and drops the streamed answer. */
  const settle = async (signal: AbortSignal) => {
    let found: AgentConversation | undefined;
    while (!signal.aborted) {
      try {
        await queryClient.cancelQueries({ queryKey: key });
        found = await queryClient.fetchQuery({ ...query, staleTime: 0, retry: false });
        break;
      } catch (error) {
        if (isFinal(error)) break;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    if (signal.aborted) return undefined;
    dispatch({ type: 'settled' });
    void queryClient.invalidateQueries({ queryKey: [...conversationsKey(orgId), 'list'] });
    return found;
  };

  const answer = async (body: AgentMessageBody, known: number, signal: AbortSignal) => {
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
    const found = await settle(signal);
    if (isOver || found === undefined || found.is_running || found.messages.length > known) return;
    dispatch({ type: 'noted', notice: neverArrived });
    onRefused(message);
  };

  const isRunning = answering !== undefined || conversation?.is_running === true;
  return {
    conversation,
    loadError: read.error,
    reload: () => void read.refetch(),
    state,
    isRunning,
    say(message, model) {
      if (conversation === undefined || isRunning || reading.current?.signal.aborted === false) return false;
      const controller = new AbortController();
      reading.current = controller;
      const { messages, current_pipeline } = conversation;
      dispatch({ type: 'sent', message, known: messages.length, before: current_pipeline });
      const body = { message, ...(model === undefined ? {} : { model }) };
      void answer(body, messages.length, controller.signal).finally(() => {
        if (reading.current === controller) reading.current = undefined;
      });
      return true;
    },
    stop() {
      stopMessage(orgId, id).then(take, (error: unknown) => {
        // The answer has finished meanwhile.
        if (error instanceof ApiError && error.status === 409) void read.refetch();
        else dispatch({ type: 'noted', notice: noticeOf(error) });
      });
    },
    take,
  };
}

const neverArrived: SetupNotice = {
  code: 'unreachable',
  message: 'The message did not reach the server. Send it again from below.',
  sent: undefined,
};

const noticeOf = (error: unknown): SetupNotice => ({
  code: error instanceof ApiError ? error.code : 'unknown',
  message: messageOf(error),
  sent: undefined,
});
