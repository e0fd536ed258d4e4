import { useEffect, useState } from 'react';
import type { PageSize } from './zoom.ts';

/** Debounces a value: pages are rendered again for every change of it. */
export function useResting<Value>(value: Value, milliseconds: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}

/** The inner size of an element, updated as it changes; 0 before it is known. */
export function useRoom(element: HTMLElement | null): PageSize {
  const [room, setRoom] = useState<PageSize>({ width: 0, height: 0 });
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const next = { width: element.clientWidth, height: element.clientHeight };
      // A hidden panel has no size: its content keeps the last one.
      if (next.width > 0) setRoom((last) => (last.width === next.width && last.height === next.height ? last : next));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return room;
}
