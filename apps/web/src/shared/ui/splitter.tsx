import { useRef, type PointerEvent } from 'react';

interface SplitterProps {
  /** Width of the left panel, in pixels. */
  width: number;
  minimum: number;
  maximum: number;
  onResize: (width: number) => void;
  label: string;
}

/**
 * Resizes two panels, by dragging or with the keys of a slider. A native slider, because assistive technology of phones can
 * change its value, and not that of a separator.
 */
export function Splitter({ width, minimum, maximum, onResize, label }: SplitterProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const resize = (next: number) => onResize(Math.round(Math.min(maximum, Math.max(minimum, next))));

  const onPointerDown = (event: PointerEvent<HTMLInputElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent<HTMLInputElement>) => {
    if (start.current) resize(start.current.width + event.clientX - start.current.x);
  };
  const onPointerEnd = () => {
    start.current = null;
  };

  return (
    <div className="relative z-10 -mx-1 w-2 shrink-0 before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-line hover:before:w-0.5 hover:before:bg-accent focus-within:before:w-0.5 focus-within:before:bg-accent">
      <input
        type="range"
        aria-label={label}
        min={minimum}
        max={maximum}
        step={16}
        value={width}
        aria-valuetext={`${width} pixels`}
        onChange={(event) => resize(Number(event.target.value))}
        // Without this, the browser would jump to the value under the pointer instead of dragging from the edge.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        className="absolute inset-0 m-0 size-full cursor-col-resize touch-none appearance-none opacity-0"
      />
    </div>
  );
}
