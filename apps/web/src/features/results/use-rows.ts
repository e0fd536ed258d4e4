import type { ResultPage, ResultRow } from '@docwright/contract';
import { useQueries } from '@tanstack/react-query';
import { startTransition, useCallback, useDeferredValue, useLayoutEffect, useRef, useState, type UIEvent } from 'react';
import { resultBlock, resultBlockQuery, type ResultRequest } from '../../shared/api/results-api.ts';
import { useDebounced } from '../../shared/ui/browser/use-debounced.ts';

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
  // After a jump the visible rows come first, and those around them in a task of their own.
  const settled = useDeferredValue(view);
  const around = Math.abs(settled.top - view.top) > overscan ? 0 : overscan;
  const start = Math.max(0, Math.min(view.top - around, shown - view.height - around));
  const end = Math.min(shown, view.top + view.height + 1 + around);
  return {
    box,
    // In a transition, so that many new rows are rendered in slices and never delay the next frame.
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

/** While the user drags the scroll bar, rows that only pass by are not read. */
const settleMs = 80;

interface Source {
  orgId: string;
  promptId: string;
  request: ResultRequest;
  /** The first block; that of the query before while another one loads. */
  head: ResultPage;
}

/** The rows around those that are rendered, read in blocks, each by its position. */
export function useRows({ orgId, promptId, request, head }: Source, { start, end }: { start: number; end: number }) {
  const range = `${Math.floor(start / resultBlock)} ${Math.floor(Math.max(end - 1, 0) / resultBlock)}`;
  const [from = 0, to = 0] = useDebounced(range, settleMs).split(' ').map(Number);
  const blocks = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((block) => block > 0);
  const loaded = useQueries({ queries: blocks.map((block) => resultBlockQuery(orgId, promptId, request, block)) });
  const pages = new Map(blocks.map((block, at) => [block, loaded[at]?.data]));
  const failed = loaded.find(({ error }) => error !== null);
  return {
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    /** Undefined while the row's block loads. */
    row(index: number): ResultRow | undefined {
      const block = Math.floor(index / resultBlock);
      return (block === 0 ? head : pages.get(block))?.rows[index % resultBlock];
    },
  };
}
