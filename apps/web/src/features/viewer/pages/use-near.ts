import { useEffect, useState } from 'react';

/**
 * Whether an element has been within `margin` of the visible area for a moment. An element that scrolls past quickly does
 * not count.
 */
export function useNear(element: { current: HTMLElement | null }, root: HTMLElement | null, margin: string): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (moves) => {
        clearTimeout(timer);
        // A busy browser reports several moves of the element together, the oldest first.
        timer = setTimeout(() => setNear(moves.at(-1)?.isIntersecting ?? false), 60);
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
