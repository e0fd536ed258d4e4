import { useEffect, useRef, useState } from 'react';

/**
 * PDF.js renders a slice of each page in every frame. Slices of many pages in one frame would block scrolling, so only
 * few pages are rendered at a time.
 */
const maxRendering = 2;

export type RenderKind = 'page' | 'thumbnail';

/** Limits how many pages are rendered at a time. */
export function createRenderQueue(max: number) {
  const waiting = { page: new Set<() => void>(), thumbnail: new Set<() => void>() };
  const running = new Set<() => void>();

  const startNext = () => {
    while (running.size < max) {
      const queue = waiting.page.size > 0 ? waiting.page : waiting.thumbnail;
      const [start] = queue;
      if (!start) return;
      queue.delete(start);
      running.add(start);
      start();
    }
  };

  return {
    /** Calls `start` when a turn is free: pages in order, thumbnails after them. Returns a function that ends the turn. */
    request(kind: RenderKind, start: () => void) {
      // A function of its own for each request, so that ending it twice ends no other turn.
      const turn = () => start();
      waiting[kind].add(turn);
      startNext();
      return () => {
        waiting[kind].delete(turn);
        if (running.delete(turn)) startNext();
      };
    },
  };
}

const renderQueue = createRenderQueue(maxRendering);

/** Whether rendering can start, and the function to call when it is finished. Unmounting also ends the turn. */
export function useRenderTurn(kind: RenderKind): { isTurn: boolean; finish: () => void } {
  const [isTurn, setIsTurn] = useState(false);
  const end = useRef<() => void>(undefined);
  useEffect(() => {
    const withdraw = renderQueue.request(kind, () => setIsTurn(true));
    end.current = withdraw;
    return withdraw;
  }, [kind]);
  const [finish] = useState(() => () => end.current?.());
  return { isTurn, finish };
}
