import { Suspense, useEffect, useRef, useState } from 'react';
import { Page } from 'react-pdf';
import type { Mark } from './box-geometry.ts';
import { MarksLayer } from './marks-layer.tsx';

/** Readers get the text layer; the tree of a tagged PDF, as it comes, has roles in places where none may stand. */
const hideFromReaders = (canvas: HTMLCanvasElement | null) => canvas?.setAttribute('aria-hidden', 'true');

interface PdfPageProps {
  pageNumber: number;
  /** Pixels, as displayed. */
  width: number;
  height: number;
  marks: Mark[];
  /** The scroller it stands in. */
  root: HTMLElement | null;
}

/** Holds a page's place at once and draws it when it comes near the window. */
export function PdfPage({ pageNumber, width, height, marks, root }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        // What only flies by is not worth drawing.
        timer = setTimeout(() => setNear(entry?.isIntersecting ?? false), 60);
      },
      { root, rootMargin: '100% 0px' },
    );
    if (frame.current) observer.observe(frame.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [root]);
  return (
    <div
      ref={frame}
      data-page={pageNumber}
      className="relative mx-auto mb-3 overflow-hidden bg-paper shadow-sm last:mb-0"
      style={{ width, height }}
    >
      {near && (
        <Suspense>
          <Page pageNumber={pageNumber} width={width} renderAnnotationLayer={false} canvasRef={hideFromReaders} />
        </Suspense>
      )}
      <MarksLayer marks={marks} />
    </div>
  );
}
