import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import type { DrawPage } from './page-frame.tsx';
import { useNear } from './use-near.ts';
import { useElementSize } from '../geometry/use-element-size.ts';
import type { PageSize } from '../geometry/zoom.ts';

const width = 104;
/** Height of the page number and the gap below a thumbnail, in pixels. */
const labelHeight = 30;

interface PageThumbnailsProps {
  pages: PageSize[];
  currentPage: number;
  draw: DrawPage;
  onPage: (pageNumber: number) => void;
}

/** Thumbnails of all pages; only visible ones are mounted. The arrow keys go from page to page. */
export function PageThumbnails({ pages, currentPage, draw, onPage }: PageThumbnailsProps) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [top, setTop] = useState(0);
  const { height } = useElementSize(scroller);
  const rows = useMemo(() => pageRows(pages), [pages]);
  const { from, to } = visibleRows(rows, top, height);
  const focusRequested = useRef(false);

  useEffect(() => {
    if (!scroller || height === 0) return;
    const [start, end] = [rows.tops[currentPage - 1] ?? 0, rows.tops[currentPage] ?? 0];
    if (start < scroller.scrollTop) scroller.scrollTo({ top: start });
    else if (end > scroller.scrollTop + height) scroller.scrollTo({ top: end - height });
    if (!focusRequested.current) return;
    const focus = () => scroller.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
    const frame = requestAnimationFrame(() => requestAnimationFrame(focus));
    focusRequested.current = false;
    return () => cancelAnimationFrame(frame);
  }, [scroller, rows, currentPage, height]);

  const onKeyDown = (event: KeyboardEvent, pageNumber: number) => {
    const steps: Record<string, number> = {
      ArrowDown: pageNumber + 1,
      ArrowUp: pageNumber - 1,
      Home: 1,
      End: pages.length,
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (next < 1 || next > pages.length) return;
    focusRequested.current = true;
    onPage(next);
  };
  // One tab stop: the current page, or the first mounted one if the current page is scrolled away.
  const current = currentPage - 1;
  const tabStop = current >= from && current < to ? current : from;
  return (
    <nav
      ref={setScroller}
      aria-label="Page thumbnails"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      className="w-36 shrink-0 overflow-y-auto border-r border-line bg-canvas py-2.5"
    >
      <ol className="relative" style={{ height: rows.tops.at(-1) }}>
        {Array.from({ length: to - from }, (_, offset) => from + offset).map((index) => (
          <li key={index} className="absolute inset-x-0" style={{ top: rows.tops[index] }}>
            <button
              type="button"
              tabIndex={index === tabStop ? 0 : -1}
              aria-label={`Page ${index + 1}`}
              aria-current={index === current ? 'page' : undefined}
              onClick={() => onPage(index + 1)}
              onKeyDown={(event) => onKeyDown(event, index + 1)}
              className="group mx-auto block rounded-sm"
              style={{ width }}
            >
              <Thumbnail pageNumber={index + 1} height={rows.heights[index] ?? 0} draw={draw} />
              <span
                className={classNames(
                  'block text-center text-xs leading-5 tabular-nums',
                  index === current ? 'font-semibold text-ink' : 'text-ink-faint',
                )}
              >
                {index + 1}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Thumbnail({ pageNumber, height, draw }: { pageNumber: number; height: number; draw: DrawPage }) {
  const frame = useRef<HTMLSpanElement>(null);
  const near = useNear(frame, null, '0px');
  return (
    <span
      ref={frame}
      className="pointer-events-none block overflow-hidden bg-paper ring-1 ring-line group-hover:ring-line-strong group-aria-[current]:ring-2 group-aria-[current]:ring-accent"
      style={{ width, height }}
    >
      {near && draw(pageNumber, width)}
    </span>
  );
}

/** The places of the thumbnails in their list, in pixels. */
interface PageRows {
  /** The top of each row; the last entry is the height of all rows. */
  tops: number[];
  /** The heights of the thumbnails without their labels. */
  heights: number[];
}

function pageRows(pages: PageSize[]): PageRows {
  const heights = pages.map((page) => Math.round((width * page.height) / page.width));
  const tops = [0];
  for (const height of heights) tops.push(tops.at(-1)! + height + labelHeight);
  return { tops, heights };
}

/** The range of visible rows, with a few more on either side; `to` is exclusive. */
function visibleRows({ tops, heights }: PageRows, top: number, height: number): { from: number; to: number } {
  const extraRows = 3;
  const second = tops.findIndex((start) => start > top);
  const next = tops.findIndex((start) => start >= top + height);
  const [from, to] = [second < 0 ? heights.length : second - 1, next < 0 ? heights.length : next];
  return { from: Math.max(0, from - extraRows), to: Math.min(heights.length, to + extraRows) };
}
