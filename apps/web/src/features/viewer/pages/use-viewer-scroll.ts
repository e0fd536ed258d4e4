import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { scrollTarget, type PageBox } from '../geometry/box-geometry.ts';

const pageElement = (scroller: HTMLElement, pageNumber: number) =>
  scroller.querySelector<HTMLElement>(`[data-page="${pageNumber}"]`);

/** Scrolls smoothly over short distances. Over long ones it jumps, so that the pages between are not rendered. */
function scrollTo(scroller: HTMLElement, target: { left?: number; top: number }) {
  const isFar = Math.abs(target.top - scroller.scrollTop) > 2 * scroller.clientHeight;
  const reducesMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  scroller.scrollTo({ ...target, behavior: isFar || reducesMotion ? 'auto' : 'smooth' });
}

/** What a user scrolls with. */
const userScrolls = ['wheel', 'pointerdown', 'touchmove', 'keydown'] as const;

/** A place on a page, and where it is in the visible area. */
interface Anchor {
  pageNumber: number;
  /** Fractions of the page. */
  x: number;
  y: number;
  /** Pixels from the scroller's corner. */
  left: number;
  top: number;
}

interface ViewerScroll {
  /** The page that was gone to; after scrolling, the page a third down the visible area. Counted from 1. */
  currentPage: number;
  goToPage: (pageNumber: number) => void;
  reveal: (box: PageBox) => void;
  /** Keeps the content at this point in place when the scale changes next. The point is in pixels from the corner. */
  holdAt: (left: number, top: number) => void;
}

/**
 * Scrolls an element whose pages have `data-page`, reports the current page, and keeps the place when `scale` changes.
 */
export function useViewerScroll(scroller: HTMLElement | null, pageCount: number, scale = 1): ViewerScroll {
  const [currentPage, setCurrentPage] = useState(1);
  const anchor = useRef<Anchor | undefined>(undefined);
  /** Short pages are visible together: the one that was gone to stays the current one until the user scrolls. */
  const chosen = useRef<number | undefined>(undefined);

  useEffect(() => {
    if (!scroller || pageCount === 0) return;
    const measure = () => {
      // A hidden panel cannot be measured.
      if (scroller.clientHeight === 0) return;
      const held = chosen.current === undefined ? null : pageElement(scroller, chosen.current);
      // At the top the first page is the current one, even if it is short.
      const line = Math.min(scroller.scrollTop, scroller.clientHeight / 3);
      const page = held && isVisible(scroller, held) ? held : pageAt(scroller, line);
      if (page) setCurrentPage(Number(page.dataset['page']));
      anchor.current = anchorAt(scroller, scroller.clientWidth / 2, scroller.clientHeight / 3);
    };
    const forgetChosen = () => {
      chosen.current = undefined;
    };
    measure();
    scroller.addEventListener('scroll', measure, { passive: true });
    for (const type of userScrolls) scroller.addEventListener(type, forgetChosen, { passive: true });
    return () => {
      scroller.removeEventListener('scroll', measure);
      for (const type of userScrolls) scroller.removeEventListener(type, forgetChosen);
    };
  }, [scroller, pageCount]);

  const lastScale = useRef(scale);
  useLayoutEffect(() => {
    if (lastScale.current === scale) return;
    lastScale.current = scale;
    const held = anchor.current;
    const page = held && scroller && pageElement(scroller, held.pageNumber);
    if (!page || scroller.clientHeight === 0) return;
    scroller.scrollTo({
      left: page.offsetLeft + held.x * page.offsetWidth - held.left,
      top: page.offsetTop + held.y * page.offsetHeight - held.top,
      behavior: 'instant',
    });
  }, [scroller, scale]);

  const goToPage = useCallback(
    (pageNumber: number) => {
      const page = scroller && pageElement(scroller, pageNumber);
      if (!page) return;
      chosen.current = pageNumber;
      setCurrentPage(pageNumber);
      scrollTo(scroller, { top: page.offsetTop - 12 });
    },
    [scroller],
  );

  const reveal = useCallback(
    (box: PageBox) => {
      const page = scroller && pageElement(scroller, box.page_num);
      if (!page) return;
      chosen.current = box.page_num;
      setCurrentPage(box.page_num);
      const place = { left: page.offsetLeft, top: page.offsetTop, width: page.offsetWidth, height: page.offsetHeight };
      const view = {
        left: scroller.scrollLeft,
        top: scroller.scrollTop,
        width: scroller.clientWidth,
        height: scroller.clientHeight,
      };
      scrollTo(scroller, scrollTarget(box, place, view));
    },
    [scroller],
  );

  const holdAt = useCallback(
    (left: number, top: number) => {
      if (scroller) anchor.current = anchorAt(scroller, left, top);
    },
    [scroller],
  );

  return useMemo(() => ({ currentPage, goToPage, reveal, holdAt }), [currentPage, goToPage, reveal, holdAt]);
}

/** The page `top` pixels below the scroller's edge, or the last one above that point. */
function pageAt(scroller: HTMLElement, top: number): HTMLElement | undefined {
  const line = scroller.scrollTop + top;
  const pages = scroller.querySelectorAll<HTMLElement>('[data-page]');
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (pages[middle]!.offsetTop <= line) low = middle;
    else high = middle - 1;
  }
  return pages[low];
}

function isVisible(scroller: HTMLElement, page: HTMLElement): boolean {
  const top = page.offsetTop - scroller.scrollTop;
  return top < scroller.clientHeight && top + page.offsetHeight > 0;
}

function anchorAt(scroller: HTMLElement, left: number, top: number): Anchor | undefined {
  const page = pageAt(scroller, top);
  if (!page) return undefined;
  return {
    pageNumber: Number(page.dataset['page']),
    x: (scroller.scrollLeft + left - page.offsetLeft) / page.offsetWidth,
    y: (scroller.scrollTop + top - page.offsetTop) / page.offsetHeight,
    left,
    top,
  };
}
