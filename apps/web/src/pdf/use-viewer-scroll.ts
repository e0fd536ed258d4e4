import { useCallback, useEffect, useState } from 'react';
import { scrollTarget, type Box } from './box-geometry.ts';

const pageElement = (scroller: HTMLElement, pageNumber: number) =>
  scroller.querySelector<HTMLElement>(`[data-page="${pageNumber}"]`);

/** Glides over short ways. Over long ones it jumps: every page on the way would be drawn just to fly by. */
function scrollTo(scroller: HTMLElement, target: { left?: number; top: number }) {
  const far = Math.abs(target.top - scroller.scrollTop) > 2 * scroller.clientHeight;
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  scroller.scrollTo({ ...target, behavior: far || still ? 'auto' : 'smooth' });
}

interface ViewerScroll {
  /** The page that most of the reading happens on, from 1. */
  currentPage: number;
  goToPage: (pageNumber: number) => void;
  reveal: (box: Box) => void;
}

/** Moves a scroller whose pages carry `data-page`, and tells which of them is in sight. */
export function useViewerScroll(scroller: HTMLElement | null, pageCount: number): ViewerScroll {
  const [currentPage, setCurrentPage] = useState(1);

  useEffect(() => {
    if (!scroller || pageCount === 0) return;
    const measure = () => {
      const line = scroller.scrollTop + scroller.clientHeight / 3;
      const pages = [...scroller.querySelectorAll<HTMLElement>('[data-page]')];
      const above = pages.findLast((page) => page.offsetTop <= line) ?? pages[0];
      if (above) setCurrentPage(Number(above.dataset['page']));
    };
    measure();
    scroller.addEventListener('scroll', measure, { passive: true });
    return () => scroller.removeEventListener('scroll', measure);
  }, [scroller, pageCount]);

  const goToPage = useCallback(
    (pageNumber: number) => {
      const page = scroller && pageElement(scroller, pageNumber);
      if (page) scrollTo(scroller, { top: page.offsetTop - 12 });
    },
    [scroller],
  );

  const reveal = useCallback(
    (box: Box) => {
      const page = scroller && pageElement(scroller, box.page_num);
      if (!page) return;
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

  return { currentPage, goToPage, reveal };
}
