import { useEffect, useState } from 'react';
import type { PageSize } from './zoom.ts';

/** The inner size of an element, updated as it changes; 0 before it is known. */
export function useElementSize(element: HTMLElement | null): PageSize {
  const [size, setSize] = useState<PageSize>({ width: 0, height: 0 });
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const next = { width: element.clientWidth, height: element.clientHeight };
      // A hidden panel has no size: its content keeps the last one.
      if (next.width > 0) setSize((last) => (last.width === next.width && last.height === next.height ? last : next));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
