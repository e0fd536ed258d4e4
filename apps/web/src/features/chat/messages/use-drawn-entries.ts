import { startTransition, useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** More than fill a tall window. */
const atOnce = 30;
/** Few enough to be laid out within a frame or two. */
const step = 12;
/** Earlier ones are drawn before somebody has scrolled to them. */
const ahead = '1500px';

const lastOnes = (count: number) => Math.max(0, count - atOnce);

interface DrawnEntries {
  /** The first entry that is drawn. */
  first: number;
  /** To be put before the first one: once it comes near, earlier ones are drawn. */
  earlier: RefObject<HTMLDivElement | null>;
  /** Back to the last ones alone. */
  onlyLast: () => void;
}

/** Draws a long list from its end: its last entries at first, earlier ones as somebody scrolls towards them. */
export function useDrawnEntries(count: number): DrawnEntries {
  const [begin, setBegin] = useState(() => lastOnes(count));
  const first = Math.min(begin, lastOnes(count));
  const earlier = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const mark = earlier.current;
    if (mark === null || first === 0) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) {
          startTransition(() => setBegin(Math.max(0, first - step)));
        }
      },
      { root: mark.closest('[data-scrolls]'), rootMargin: `${ahead} 0px 0px 0px` },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [first]);
  const onlyLast = useCallback(() => setBegin(lastOnes(count)), [count]);
  return { first, earlier, onlyLast };
}
