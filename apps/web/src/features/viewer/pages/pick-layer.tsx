import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { PagePick, PickedBox } from '../../../shared/values/page-pick.tsx';
import { boxStyle } from '../geometry/box-geometry.ts';

/** A shorter drag, in pixels, is a click. */
const minDrag = 4;

interface Drag {
  pointer: number;
  /** Fractions of the page. */
  x: number;
  y: number;
  clientX: number;
  clientY: number;
}

interface PickLayerProps {
  pageNumber: number;
  /** The page to draw on. */
  frame: RefObject<HTMLElement | null>;
  pick: PagePick;
}

/** Lets the user draw a box on a page: with mouse or pen at any time, with a finger after “Take from page”. */
export function PickLayer({ pageNumber, frame, pick }: PickLayerProps) {
  const [start, setStart] = useState<Drag>();
  const [drawn, setDrawn] = useState<PickedBox>();

  const placeOf = (event: PointerEvent) => {
    const page = frame.current!.getBoundingClientRect();
    const clamp = (share: number) => Math.min(1, Math.max(0, share));
    return {
      x: clamp((event.clientX - page.left) / page.width),
      y: clamp((event.clientY - page.top) / page.height),
    };
  };
  const onDown = useEffectEvent((event: PointerEvent) => {
    if (event.button !== 0 || (event.pointerType === 'touch' && !pick.isArmed)) return;
    setStart({ pointer: event.pointerId, ...placeOf(event), clientX: event.clientX, clientY: event.clientY });
  });
  const onMove = useEffectEvent((event: PointerEvent) => {
    if (start?.pointer !== event.pointerId) return;
    const distance = Math.max(Math.abs(event.clientX - start.clientX), Math.abs(event.clientY - start.clientY));
    if (drawn === undefined && distance < minDrag) return;
    // Elements below the pointer get no click at the end of the drag.
    if (drawn === undefined) frame.current?.setPointerCapture(event.pointerId);
    const { x, y } = placeOf(event);
    setDrawn({
      page_num: pageNumber,
      x0: Math.min(x, start.x),
      y0: Math.min(y, start.y),
      x1: Math.max(x, start.x),
      y1: Math.max(y, start.y),
    });
  });
  const onUp = useEffectEvent((event: PointerEvent) => {
    if (start?.pointer !== event.pointerId) return;
    setStart(undefined);
    setDrawn(undefined);
    if (event.type === 'pointerup' && drawn !== undefined && drawn.x0 < drawn.x1 && drawn.y0 < drawn.y1) {
      pick.pickBox(drawn);
    }
  });
  useEffect(() => {
    const page = frame.current;
    if (!page) return;
    const controller = new AbortController();
    const { signal } = controller;
    page.addEventListener('pointerdown', (event) => onDown(event), { signal });
    page.addEventListener('pointermove', (event) => onMove(event), { signal });
    page.addEventListener('pointerup', (event) => onUp(event), { signal });
    page.addEventListener('pointercancel', (event) => onUp(event), { signal });
    // Otherwise the drag would select the text.
    page.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
    return () => controller.abort();
  }, [frame]);

  const shown = drawn ?? (pick.box?.page_num === pageNumber ? pick.box : undefined);
  if (shown === undefined) return null;
  return (
    <div
      data-picked
      style={boxStyle(shown)}
      className="pointer-events-none absolute z-20 rounded-[2px] bg-accent/15 ring-2 ring-accent"
    />
  );
}
