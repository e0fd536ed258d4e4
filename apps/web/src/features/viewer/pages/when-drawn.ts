import { useEffect, useRef, useState } from 'react';

/** Whether an element has been within `margin` of the visible area for a moment; elements that scroll past quickly do not count. */
export function useNear(element: { current: HTMLElement | null }, root: HTMLElement | null, margin: string): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        timer = setTimeout(() => setNear(entry?.isIntersecting ?? false), 60);
      },
      { root, rootMargin: margin },
    );
    if (element.current) observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [element, root, margin]);
  return near;
}

/**
 * PDF.js renders a slice of each page in every frame. Slices of many pages in one frame would block scrolling, so only
 * few pages are rendered at a time.
 */
const maxDrawing = 2;

/** Limits how many pages are rendered at a time. */
export interface DrawingTurns {
  /** Calls `start` when a turn is free: pages in order, thumbnails after them. Returns a function that ends the turn. */
  request: (kind: DrawingKind, start: () => void) => () => void;
}

export type DrawingKind = 'page' | 'thumbnail';

export function createDrawingTurns(max: number): DrawingTurns {
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
    request(kind, start) {
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

const turns = createDrawingTurns(maxDrawing);

/** Whether rendering can start, and the function to call when it is finished. Unmounting also ends the turn. */
export function useDrawingTurn(kind: DrawingKind): { isTurn: boolean; finish: () => void } {
  const [isTurn, setIsTurn] = useState(false);
  const end = useRef<() => void>(undefined);
  useEffect(() => {
    const withdraw = turns.request(kind, () => setIsTurn(true));
    end.current = withdraw;
    return withdraw;
  }, [kind]);
  const [finish] = useState(() => () => end.current?.());
  return { isTurn, finish };
}
