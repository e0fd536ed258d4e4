import type { CallAnswers, CallDecision, LatestTurn, Mention, Thread } from '@docwright/contract';
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../shared/http/api-error.ts';
import {
  followTurn,
  openDecision,
  openTurn,
  readThread,
  stopTurn,
  type ChatPlace,
  type ChatRequest,
} from '../../../shared/api/chat-api.ts';
import type { TurnFrame } from '../../../shared/http/turn-stream.ts';
import { chatReducer, refusedMessage } from './chat-reducer.ts';
import { emptyChat, type ChatNotice } from '../../../agent-ui/chat-state.ts';
import { createFrameBatch } from '../../../agent-ui/frame-batch.ts';
import { readTurn } from './read-turn.ts';
import { turnUpdate } from './turn-update.ts';
import { notifyOtherWindows, useThreadWatch } from './use-thread-watch.ts';
import { loadMarkdown } from '../../../agent-ui/markdown/lazy-markdown.tsx';
import { sendDrafts } from '../../../agent-ui/drafts/unsent-drafts.ts';

interface ChatOptions {
  place: ChatPlace;
  /** The stored conversation to load; undefined for a new one. */
  threadId: string | undefined;
  onThread: (threadId: string) => void;
  onToolResult: (toolName: string) => void;
  onPause: () => void;
}

export interface OutgoingMessage {
  text: string;
  mentions?: Mention[];
  /** Index of an earlier message that this one replaces, with everything after it. */
  from?: number;
}

/** Settings of a turn. */
export type ChatSettings = Pick<ChatRequest, 'model' | 'auto_approve' | 'auto_approved_tools' | 'scope'>;

/** Whether the conversation is no longer this user's to see. */
const isGone = (error: unknown) => error instanceof ApiError && (error.status === 403 || error.status === 404);

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Runs a conversation: sends the user's actions to the server, and its events through the reducer. */
export function useChat({ place, threadId, onThread, onToolResult, onPause }: ChatOptions) {
  const [state, dispatch] = useReducer(chatReducer, emptyChat);
  const [loading, setLoading] = useState(threadId !== undefined);
  const [loadError, setLoadError] = useState<string>();
  const reading = useRef<AbortController>(undefined);
  const { orgId, documentId } = place;

  const read = useCallback(
    async (open: (signal: AbortSignal) => Promise<Response>, ignorePausesUntil = 0) => {
      void loadMarkdown();
      reading.current?.abort();
      const controller = new AbortController();
      reading.current = controller;
      const batch = createFrameBatch<TurnFrame>((frames) => dispatch({ type: 'frames', frames }));
      try {
        await readTurn({
          place: { orgId, documentId },
          open,
          signal: controller.signal,
          ignorePausesUntil,
          onFrame: (frame) => {
            const { event } = frame;
            batch.add(frame);
            if (event.type === 'turn_started') {
              onThread(event.thread_id);
              notifyOtherWindows(event.thread_id);
            }
            if (event.type === 'tool_result' && event.success) onToolResult(event.name);
            if (event.type === 'done') notifyOtherWindows(event.result.thread_id);
          },
        });
      } finally {
        if (!controller.signal.aborted) {
          batch.flush();
          onPause();
        }
      }
    },
    [orgId, documentId, onThread, onToolResult, onPause],
  );

  const fail = useCallback((error: unknown, status: ChatNotice['status'] = 'refused') => {
    if (isAbort(error)) return;
    dispatch({ type: 'request_failed', notice: { status, message: messageOf(error) } });
  }, []);

  const show = useCallback(
    (thread: Thread) => {
      dispatch({ type: 'thread_loaded', thread });
      setLoadError(undefined);
      setLoading(false);
      const turn = thread.latest_turn;
      if (turn?.status !== 'running') return;
      const open = (signal: AbortSignal) => followTurn({ orgId, documentId }, turn.turn_id, 0, signal);
      read(open, turn.event_count).catch((error: unknown) => fail(error));
    },
    [orgId, documentId, read, fail],
  );
  const showError = useCallback((error: unknown) => {
    if (isAbort(error)) return;
    setLoadError(messageOf(error));
    setLoading(false);
  }, []);

  const onLoaded = useEffectEvent(show);
  const onLoadFailed = useEffectEvent(showError);
  useEffect(() => {
    const controller = new AbortController();
    if (threadId !== undefined) {
      const opening = readThread({ orgId, documentId }, threadId, controller.signal);
      Promise.all([opening, loadMarkdown()]).then(
        ([thread]) => onLoaded(thread),
        (error: unknown) => onLoadFailed(error),
      );
    }
    return () => {
      controller.abort();
      reading.current?.abort();
    };
  }, [orgId, documentId, threadId]);

  const current = state.threadId ?? threadId;
  const isShown = state.threadId !== undefined;
  /** Returns whether the page shows what the server has. What it shows stays while the server is out of reach. */
  const reload = useCallback(async (): Promise<boolean> => {
    if (current === undefined) return true;
    try {
      show(await readThread({ orgId, documentId }, current));
      return true;
    } catch (error) {
      if (!isShown || isGone(error)) showError(error);
      return false;
    }
  }, [orgId, documentId, current, isShown, show, showError]);

  const entries = state.entries;
  const send = useCallback(
    ({ text, mentions = [], from }: OutgoingMessage, settings: ChatSettings) => {
      const earlier =
        from === undefined ? undefined : entries.slice(0, from).filter(({ kind }) => kind === 'user').length;
      dispatch({
        type: 'message_sent',
        text,
        mentions,
        scope: settings.scope,
        ...(from === undefined ? {} : { from }),
      });
      read(async (signal) => {
        const place = { orgId, documentId };
        const count =
          current === undefined || earlier === undefined
            ? undefined
            : messagesBefore(await readThread(place, current, signal), earlier);
        const body = {
          messages: [{ role: 'user' as const, content: text }],
          ...settings,
          ...(mentions.length === 0 ? {} : { mentions }),
          ...(current === undefined ? {} : { thread_id: current }),
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          ...(count === undefined ? {} : { truncate_thread_to_message_count: count }),
        };
        return await openTurn(place, body, signal);
      }).catch((error: unknown) => fail(error));
    },
    [orgId, documentId, current, entries, read, fail],
  );

  const turnId = state.turnId;
  const decide = useCallback(
    (decisions: CallDecision[], answers: CallAnswers[]) => {
      if (turnId === undefined || current === undefined) return;
      dispatch({ type: 'decided', decisions });
      const body = { turn_id: turnId, approvals: decisions, ...(answers.length === 0 ? {} : { answers }) };
      const drafts = sendDrafts([...decisions, ...answers].map(({ call_id }) => call_id));
      const open = async (signal: AbortSignal) => {
        const response = await openDecision({ orgId, documentId }, body, signal);
        drafts.onAccepted();
        notifyOtherWindows(current);
        return response;
      };
      read(open).catch(async (error: unknown) => {
        // The turn may have been decided in another window or have expired: show its current state.
        drafts.onRefused();
        if (isAbort(error)) return;
        if (!(await reload())) dispatch({ type: 'decision_unknown' });
        fail(error, 'decision_refused');
      });
    },
    [orgId, documentId, current, turnId, read, reload, fail],
  );

  const onLatest = (turn: LatestTurn | null): boolean => {
    const update = turnUpdate(state, turn);
    if (update === 'none' || turn === null) return false;
    if (update === 'resume') {
      dispatch({ type: 'decided_elsewhere' });
      const { lastEventId } = state;
      read((signal) => followTurn(place, turn.turn_id, lastEventId, signal)).catch((error: unknown) => fail(error));
    } else if (update === 'finished') dispatch({ type: 'turn_finished', turn });
    else {
      onPause();
      void reload();
    }
    return true;
  };
  useThreadWatch({
    place,
    threadId: current,
    enabled: !loading && loadError === undefined && state.phase !== 'running',
    onLatest,
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) showError(error);
    },
  });

  const stop = useCallback(() => {
    if (turnId !== undefined) stopTurn({ orgId, documentId }, turnId).catch((error: unknown) => fail(error));
  }, [orgId, documentId, turnId, fail]);

  return {
    state,
    /** Messages that the server has not taken. */
    unsent: { unsent: state.unsent, refused: refusedMessage(state) },
    loading,
    loadError,
    send,
    decide,
    stop,
    /** Loads the conversation from the server again. */
    reload,
  };
}

/** How many stored messages precede the user's message `ordinal`, counted from 0. */
function messagesBefore(thread: Thread, ordinal: number): number {
  const userMessages = thread.messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return userMessages[ordinal] ?? thread.messages.length;
}
