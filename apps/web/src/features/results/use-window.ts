import { startTransition, useCallback, useLayoutEffect, useRef, useState, type UIEvent } from 'react';

/** Rows have one height: the place of each follows from its number. */
export const rowHeight = 36;
/** Rows beyond the visible ones, so that scrolling shows no gap. */
const overscan = 3;
/** Taller content than browsers can lay out. */
export const maxScrolledRows = 400_000;

/** Which rows of a scrolled box are rendered. */
export function useWindow(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const read = useCallback((element: HTMLElement) => {
    const top = Math.floor(element.scrollTop / rowHeight);
    const height = Math.ceil(element.clientHeight / rowHeight);
    setView((before) => (before.top === top && before.height === height ? before : { top, height }));
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    read(element);
    const observer = new ResizeObserver(() => read(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [read]);
  const shown = Math.min(count, maxScrolledRows);
  const start = Math.max(0, Math.min(view.top - overscan, shown - view.height - overscan));
  const end = Math.min(shown, view.top + view.height + 1 + overscan);
  return {
    box,
    // In a transition, so that many new rows are rendered in slices and never hold up the next frame.
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => startTransition(() => read(currentTarget)),
    /** The rows to render: from `start` up to before `end`. */
    start,
    end,
    shown,
    /** The first row that is surely visible. */
    firstVisible: Math.min(view.top + 1, Math.max(shown - 1, 0)),
    pageRows: Math.max(view.height - 2, 1),
  };
}
