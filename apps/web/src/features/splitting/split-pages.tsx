import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { type PageSize, useNear } from '../viewer/index.ts';
import { drawThumbnail } from '../viewer/pdf-sheets.tsx';
import { movableRange, type SplitPart } from './split-parts.ts';

interface SplitPagesProps {
  pages: PageSize[];
  parts: SplitPart[];
  /** Thumbnail width in pixels. */
  width: number;
  /** The page to scroll to; a new object for each request. */
  shownPage: { page: number } | undefined;
  onToggle: (page: number) => void;
  onMove: (from: number, to: number) => void;
}

/** Thumbnails of all pages with a line where each document starts: click a page, drag a line, or use the keys. */
export function SplitPages({ pages, parts, width, shownPage, onToggle, onMove }: SplitPagesProps) {
  const scroller = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState(1);
  // A moved line is another element, which gets the focus.
  const [moved, setMoved] = useState<{ to: number }>();
  const moveTo = (from: number, to: number) => {
    onMove(from, to);
    setMoved({ to });
  };
  useEffect(() => {
    if (moved === undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-split-page="${moved.to}"] input`)?.focus();
  }, [moved]);
  const dragged = useDrag(scroller, parts, pages.length, moveTo);
  const starts = new Set(parts.map(({ from }) => from));
  const focusPage = (page: number) => {
    setFocused(page);
    const button = scroller.current?.querySelector<HTMLElement>(`[data-split-page="${page}"] [data-page-button]`);
    button?.focus();
  };
  useEffect(() => {
    if (shownPage === undefined) return;
    const item = scroller.current?.querySelector(`[data-split-page="${shownPage.page}"]`);
    item?.scrollIntoView({ block: 'nearest' });
  }, [shownPage]);

  const onPageKey = (event: KeyboardEvent, page: number) => {
    const next = pageByKey(event, page, pages.length, () => pageBelow(scroller.current, page, event.key));
    if (next === undefined) return;
    event.preventDefault();
    focusPage(next);
  };
  return (
    <section
      ref={scroller}
      aria-label="Pages"
      {...scrolledByKeys}
      className="relative min-h-0 min-w-0 flex-1 overflow-auto bg-page-bed p-3 focus-visible:-outline-offset-2"
    >
      <ol className="flex flex-wrap gap-y-2">
        {pages.map((size, index) => {
          const page = index + 1;
          const isStart = starts.has(page);
          const part = partOf(parts, page);
          const isLeftOut = parts[part]?.is_left_out === true;
          const isTarget = dragged.at?.to === page;
          return (
            <li
              key={page}
              data-split-page={page}
              className={classNames('relative flex pr-1', part % 2 === 0 ? 'bg-accent-soft' : 'bg-canvas')}
            >
              <span className={classNames('relative w-5 shrink-0', isTarget && 'bg-accent')}>
                {isStart && page > 1 && (
                  <StartLine
                    page={page}
                    number={part + 1}
                    room={movableRange(parts, page, pages.length)}
                    isDragged={dragged.at?.from === page}
                    onMove={(to) => moveTo(page, to)}
                    onRemove={() => {
                      onToggle(page);
                      focusPage(page);
                    }}
                    handlers={dragged.handlersOf(page)}
                  />
                )}
              </span>
              <button
                type="button"
                data-page-button
                tabIndex={page === focused ? 0 : -1}
                aria-pressed={isStart}
                aria-disabled={page === 1}
                aria-label={`Page ${page}, document ${part + 1}${isLeftOut ? ', left out' : ''}`}
                onFocus={() => setFocused(page)}
                onClick={() => onToggle(page)}
                onKeyDown={(event) => onPageKey(event, page)}
                className="group rounded-sm pt-1.5"
                style={{ width }}
              >
                <Sheet page={page} width={width} size={size} isLeftOut={isLeftOut} />
                <span className="flex h-6 items-center justify-center gap-1.5 text-xs text-ink-soft tabular-nums">
                  {isStart && (
                    // Rendered by CSS: as text it would read "1 2" with the page number, which is not in the button's name.
                    <span
                      aria-hidden
                      data-part={part + 1}
                      className="rounded-full bg-accent px-1.5 font-semibold text-on-accent before:content-[attr(data-part)]"
                    />
                  )}
                  {page}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface StartLineProps {
  page: number;
  /** The number of the document that starts there. */
  number: number;
  room: [first: number, last: number];
  isDragged: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
  handlers: ReturnType<ReturnType<typeof useDrag>['handlersOf']>;
}

/** The line before the first page of a document: drag it, or move it with the arrow keys. */
function StartLine({ page, number, room: [first, last], isDragged, onMove, onRemove, handlers }: StartLineProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onRemove();
  };
  return (
    <span
      className={classNames(
        'group absolute inset-y-0 -left-1.5 flex w-6 items-center justify-center rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
        isDragged && 'opacity-40',
      )}
    >
      <span aria-hidden className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-accent group-hover:w-1" />
      <span aria-hidden className="relative h-9 w-2.5 rounded-full border-2 border-accent bg-raised" />
      <input
        type="range"
        aria-label={`Start of document ${number}`}
        aria-valuetext={`page ${page}`}
        min={first}
        max={last}
        value={page}
        onChange={(event) => onMove(Number(event.target.value))}
        onKeyDown={onKeyDown}
        // Stops the browser from jumping to the value under the pointer: the line follows the pointer.
        onMouseDown={(event) => event.preventDefault()}
        {...handlers}
        className="absolute inset-0 m-0 size-full cursor-col-resize touch-none appearance-none opacity-0"
      />
    </span>
  );
}

function Sheet({ page, width, size, isLeftOut }: { page: number; width: number; size: PageSize; isLeftOut: boolean }) {
  const frame = useRef<HTMLSpanElement>(null);
  const near = useNear(frame, null, '200px');
  return (
    // Hidden from screen readers: the button's name describes the page.
    <span
      ref={frame}
      aria-hidden
      className={classNames(
        'pointer-events-none block overflow-hidden bg-paper ring-1 ring-line group-hover:ring-2 group-hover:ring-accent',
        isLeftOut && 'opacity-30',
      )}
      style={{ width, height: Math.round((width * size.height) / size.width) }}
    >
      {near && drawThumbnail(page, width)}
    </span>
  );
}

/** Dragging a line this close to the edge scrolls the pages, in pixels. */
const edge = 48;

/** Drags a line from gap to gap; releasing it moves the start. */
function useDrag(
  scroller: { current: HTMLElement | null },
  parts: SplitPart[],
  pageCount: number,
  onMove: (from: number, to: number) => void,
) {
  const [at, setAt] = useState<{ from: number; to: number }>();
  const scrolling = useRef<ReturnType<typeof setInterval>>(undefined);
  const stopScrolling = () => clearInterval(scrolling.current);
  useEffect(() => () => clearInterval(scrolling.current), []);
  const end = () => {
    stopScrolling();
    setAt(undefined);
  };
  const scrollAtEdge = (y: number) => {
    stopScrolling();
    const box = scroller.current?.getBoundingClientRect();
    if (!box) return;
    const step = y < box.top + edge ? -16 : y > box.bottom - edge ? 16 : 0;
    if (step !== 0) scrolling.current = setInterval(() => scroller.current?.scrollBy({ top: step }), 30);
  };
  const handlersOf = (from: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus({ preventScroll: true });
      setAt({ from, to: from });
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (at?.from !== from) return;
      scrollAtEdge(clientY);
      const page = pageAt(clientX, clientY);
      if (page === undefined) return;
      const [first, last] = movableRange(parts, from, pageCount);
      setAt({ from, to: Math.min(last, Math.max(first, page)) });
    },
    onPointerUp: () => {
      if (at?.from === from && at.to !== from) onMove(from, at.to);
      end();
    },
    onPointerCancel: end,
  });
  return { at, handlersOf };
}

/** The page that a line at this point is in front of. */
function pageAt(x: number, y: number): number | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const item = element.closest<HTMLElement>('[data-split-page]');
    if (!item) continue;
    const box = item.getBoundingClientRect();
    return Number(item.dataset['splitPage']) + (x > (box.left + box.right) / 2 ? 1 : 0);
  }
  return undefined;
}

/** The index of the document that contains a page. */
function partOf(parts: readonly SplitPart[], page: number): number {
  return parts.findLastIndex(({ from }) => from <= page);
}

function pageByKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  page: number,
  pageCount: number,
  other: () => number | undefined,
): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const steps: Record<string, number | undefined> = {
    ArrowRight: page + 1,
    ArrowLeft: page - 1,
    Home: 1,
    End: pageCount,
    ...((key === 'ArrowDown' || key === 'ArrowUp') && { [key]: other() }),
  };
  const next = steps[key];
  return next === undefined || next < 1 || next > pageCount ? undefined : next;
}

/** The page in the next or previous row of thumbnails. */
function pageBelow(scroller: HTMLElement | null, page: number, key: string): number | undefined {
  const items = [...(scroller?.querySelectorAll<HTMLElement>('[data-split-page]') ?? [])];
  const own = items[page - 1];
  if (!own) return undefined;
  const isBeyond = ({ offsetTop }: HTMLElement) =>
    key === 'ArrowDown' ? offsetTop > own.offsetTop : offsetTop < own.offsetTop;
  const beyond = items.filter(isBeyond);
  const row = key === 'ArrowDown' ? beyond[0]?.offsetTop : beyond.at(-1)?.offsetTop;
  const inRow = beyond.filter(({ offsetTop }) => offsetTop === row);
  const nearest = inRow.findLast(({ offsetLeft }) => offsetLeft <= own.offsetLeft) ?? inRow[0];
  return nearest && Number(nearest.dataset['splitPage']);
}
