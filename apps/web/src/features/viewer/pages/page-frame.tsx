import { lazy, memo, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { HitsLayer } from '../search/hits-layer.tsx';
import type { Box, Mark } from '../geometry/box-geometry.ts';
import { MarksLayer } from './marks-layer.tsx';
import type { Passage } from '../passage/passage.ts';
import { useResting } from '../geometry/use-resting.ts';

const PassageLayer = lazy(async () => ({ default: (await import('../passage/passage-layer.tsx')).PassageLayer }));

/** Draws a page, or its small picture, at a width in pixels. */
export type DrawPage = (pageNumber: number, width: number) => ReactNode;

interface PageFrameProps {
  documentId: string;
  pageNumber: number;
  /** Pixels, as displayed. */
  width: number;
  height: number;
  marks: Mark[];
  /** Where it stands on this page. */
  passage: Passage | undefined;
  /** The scroller it stands in. */
  root: HTMLElement | null;
  draw: DrawPage;
  onReveal: (box: Box) => void;
}

/**
 * Holds a page's place at once and draws it when it comes near the window. While the zoom is moving, what is drawn is
 * stretched; it is drawn anew when it rests.
 */
export const PageFrame = memo((props: PageFrameProps) => {
  const { documentId, pageNumber, width, height, marks, passage, root, draw, onReveal } = props;
  const frame = useRef<HTMLDivElement>(null);
  const near = useNear(frame, root, '100% 0px');
  const drawnWidth = useResting(width, 150);
  return (
    <div
      ref={frame}
      data-page={pageNumber}
      className="relative mx-auto mb-3 overflow-hidden bg-paper shadow-sm last:mb-0"
      style={{ width, height }}
    >
      {near && (
        <div
          className="origin-top-left"
          style={{ width: drawnWidth, ...(width === drawnWidth ? {} : { transform: `scale(${width / drawnWidth})` }) }}
        >
          {draw(pageNumber, drawnWidth)}
        </div>
      )}
      {marks.length > 0 && <MarksLayer marks={marks} />}
      {near && passage && (
        <Suspense>
          <PassageLayer documentId={documentId} passage={passage} onReveal={onReveal} />
        </Suspense>
      )}
      {near && <HitsLayer pageNumber={pageNumber} onReveal={onReveal} />}
    </div>
  );
});
PageFrame.displayName = 'PageFrame';

/** Whether an element has been within `margin` of the window for a moment: what only flies by is not worth drawing. */
export function useNear(element: { current: HTMLElement | null }, root: HTMLElement | null, margin: string): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        timer = setTimeout(() => setNear(entry?.isIntersecting ?? false), 60);
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
