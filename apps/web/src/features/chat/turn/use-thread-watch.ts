import type { LatestTurn } from '@docwright/contract';
import { useEffect, useEffectEvent } from 'react';
import { readLatestTurn, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { writeStored } from '../../../shared/ui/browser/stored-value.ts';

const pollMs = 1000;
/** Polling slows down after this time without updates. */
const idleAfterMs = 5 * 60_000;
const idlePollMs = 5000;
const afterErrorMs = 10_000;

const storageKey = 'docwright.turn-news';
let notificationCount = 0;

/** Notifies the browser's other windows of an update of a thread through local storage. */
export function notifyOtherWindows(threadId: string): void {
  notificationCount += 1;
  writeStored(storageKey, `${threadId} ${Date.now()} ${notificationCount}`);
}

interface ThreadWatch {
  place: ChatPlace;
  threadId: string | undefined;
  /** Off while this page streams a turn. */
  enabled: boolean;
  /** Returns whether there was an update. */
  onLatest: (turn: LatestTurn | null) => boolean;
  onError: (error: unknown) => void;
}

/**
 * Polls the newest turn of the open thread: every second while the window is visible, and at once when it becomes
 * visible or another window sends a notification. Polling instead of a stream, because a browser has only six
 * connections per server for all its windows.
 */
export function useThreadWatch({ place, threadId, enabled, onLatest, onError }: ThreadWatch): void {
  const handleLatest = useEffectEvent(onLatest);
  const fail = useEffectEvent(onError);
  const { orgId, documentId } = place;
  useEffect(() => {
    if (threadId === undefined || !enabled) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isPolling = false;
    let lastUpdateAt = Date.now();
    const poll = async () => {
      clearTimeout(timer);
      if (isPolling) return;
      isPolling = true;
      let delay = Date.now() - lastUpdateAt > idleAfterMs ? idlePollMs : pollMs;
      try {
        const { latest_turn } = await readLatestTurn({ orgId, documentId }, threadId, signal);
        if (signal.aborted) return;
        if (handleLatest(latest_turn)) lastUpdateAt = Date.now();
      } catch (error) {
        if (signal.aborted) return;
        fail(error);
        delay = afterErrorMs;
      } finally {
        isPolling = false;
      }
      if (!document.hidden && !signal.aborted) timer = setTimeout(() => void poll(), delay);
    };
    const onVisibilityChange = () => {
      if (document.hidden) return;
      lastUpdateAt = Date.now();
      void poll();
    };
    const onStored = ({ key, newValue }: StorageEvent) => {
      if (key === storageKey && newValue?.startsWith(threadId) === true) void poll();
    };
    window.addEventListener('storage', onStored, { signal });
    document.addEventListener('visibilitychange', onVisibilityChange, { signal });
    if (!document.hidden) timer = setTimeout(() => void poll(), pollMs);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [orgId, documentId, threadId, enabled]);
}
