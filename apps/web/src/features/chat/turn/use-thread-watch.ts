import type { LatestTurn } from '@docwright/contract';
import { useEffect, useEffectEvent } from 'react';
import { readLatestTurn, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { writeStored } from '../../../shared/ui/stored-value.ts';

const everyMs = 1000;
/** Where nothing has happened for a while. */
const quietAfterMs = 5 * 60_000;
const quietEveryMs = 5000;
const afterErrorMs = 10_000;

const newsKey = 'docwright.turn-news';
let told = 0;

/** Tells the other windows of this browser that something happens in a thread: what is stored reaches each of them. */
export function notifyOtherWindows(threadId: string): void {
  told += 1;
  writeStored(newsKey, `${threadId} ${Date.now()} ${told}`);
}

interface ThreadWatch {
  place: ChatPlace;
  threadId: string | undefined;
  /** Off while this page reads a turn itself. */
  enabled: boolean;
  /** Answers whether there was anything new. */
  onLatest: (turn: LatestTurn | null) => boolean;
  onError: (error: unknown) => void;
}

/**
 * Looks how the newest turn of the open thread stands: every second while the window is seen, at once when it comes back
 * into sight or when another window of this browser tells. A request a second rather than a stream: a browser has six
 * connections for all its windows.
 */
export function useThreadWatch({ place, threadId, enabled, onLatest, onError }: ThreadWatch): void {
  const take = useEffectEvent(onLatest);
  const fail = useEffectEvent(onError);
  const { orgId, documentId } = place;
  useEffect(() => {
    if (threadId === undefined || !enabled) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looking = false;
    let lastNews = Date.now();
    const look = async () => {
      clearTimeout(timer);
      if (looking) return;
      looking = true;
      let next = Date.now() - lastNews > quietAfterMs ? quietEveryMs : everyMs;
      try {
        const { latest_turn } = await readLatestTurn({ orgId, documentId }, threadId, signal);
        if (signal.aborted) return;
        if (take(latest_turn)) lastNews = Date.now();
      } catch (error) {
        if (signal.aborted) return;
        fail(error);
        next = afterErrorMs;
      } finally {
        looking = false;
      }
      if (!document.hidden && !signal.aborted) timer = setTimeout(() => void look(), next);
    };
    const onSight = () => {
      if (document.hidden) return;
      lastNews = Date.now();
      void look();
    };
    const onStored = ({ key, newValue }: StorageEvent) => {
      if (key === newsKey && newValue?.startsWith(threadId) === true) void look();
    };
    window.addEventListener('storage', onStored, { signal });
    document.addEventListener('visibilitychange', onSight, { signal });
    if (!document.hidden) timer = setTimeout(() => void look(), everyMs);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [orgId, documentId, threadId, enabled]);
}
