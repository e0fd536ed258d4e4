import { useRef, type KeyboardEvent, type PointerEvent } from 'react';

interface SplitterProps {
  /** Width of the left panel, in pixels. */
  width: number;
  minimum: number;
  maximum: number;
  onResize: (width: number) => void;
  label: string;
}

const stepPx = 16;
const pagePx = 96;

/** Resizes two panels, by dragging or with the keys of a separator: arrows, Page Up and Page Down, Home and End. */
export function Splitter({ width, minimum, maximum, onResize, label }: SplitterProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const resize = (next: number) => onResize(Math.round(Math.min(maximum, Math.max(minimum, next))));

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (start.current) resize(start.current.width + event.clientX - start.current.x);
  };
  const onPointerEnd = () => {
    start.current = null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // With Ctrl or Alt, the arrows go to another document or page.
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = widthAfter(event.key, { width, minimum, maximum });
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };

  return (
    <div className="relative z-10 -mx-1 w-2 shrink-0 before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-line hover:before:w-0.5 hover:before:bg-accent focus-within:before:w-0.5 focus-within:before:bg-accent">
      <hr
        aria-label={label}
        aria-orientation="vertical"
        aria-valuemin={minimum}
        aria-valuemax={maximum}
        aria-valuenow={width}
        aria-valuetext={`${width} pixels`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        // Without this, dragging would select the text of the panels.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        className="absolute inset-0 m-0 h-auto cursor-col-resize touch-none border-0"
      />
    </div>
  );
}

function widthAfter(
  key: string,
  { width, minimum, maximum }: Pick<SplitterProps, 'width' | 'minimum' | 'maximum'>,
): number | undefined {
  if (key === 'ArrowLeft') return width - stepPx;
  if (key === 'ArrowRight') return width + stepPx;
  if (key === 'PageUp') return width + pagePx;
  if (key === 'PageDown') return width - pagePx;
  if (key === 'Home') return minimum;
  return key === 'End' ? maximum : undefined;
}
