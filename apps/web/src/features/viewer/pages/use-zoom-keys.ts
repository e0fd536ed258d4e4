import { useEffect, useEffectEvent } from 'react';
import { nextZoom, wheelZoom, type Zoom } from '../geometry/zoom.ts';

interface ZoomKeys {
  shown: number;
  setZoom: (zoom: Zoom) => void;
  holdAt: (left: number, top: number) => void;
}

/** Ctrl and the wheel zoom at the pointer; Ctrl with +, − and 0 while the pages have the focus. */
export function useZoomKeys(scroller: HTMLElement | null, { shown, setZoom, holdAt }: ZoomKeys) {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey || !scroller) return;
    event.preventDefault();
    const corner = scroller.getBoundingClientRect();
    holdAt(event.clientX - corner.left, event.clientY - corner.top);
    setZoom(wheelZoom(shown, event.deltaY));
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.key === '+' || event.key === '=') setZoom(nextZoom(shown, 1));
    else if (event.key === '-') setZoom(nextZoom(shown, -1));
    else if (event.key === '0') setZoom('width');
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!scroller) return;
    const turned = (event: WheelEvent) => onWheel(event);
    const pressed = (event: KeyboardEvent) => onKey(event);
    // Not passive: the browser would zoom the whole app.
    scroller.addEventListener('wheel', turned, { passive: false });
    scroller.addEventListener('keydown', pressed);
    return () => {
      scroller.removeEventListener('wheel', turned);
      scroller.removeEventListener('keydown', pressed);
    };
  }, [scroller]);
}
