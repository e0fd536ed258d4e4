import { useEffect, useRef, useState } from 'react';

/** Whether an element has been within `margin` of the window for a moment: what only flies by is not worth drawing. */
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
 * PDF.js draws a slice of each page in every frame. Slices of many pages in one frame keep the window from scrolling, so
 * that few are drawn at once.
 */
const maxDrawing = 2;

/** Which drawings run, and which wait for their turn. */
export interface DrawingTurns {
  /** Calls `start` when its turn has come: pages in order, small pictures after them. The answer ends or withdraws it. */
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
      // One of its own for each request, so that ending it twice ends no other.
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

/** Whether a drawing can start, and what to call when it is finished. One that leaves the page frees its turn. */
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
