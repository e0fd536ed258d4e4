import type { Extraction } from '@docwright/contract';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Document, pdfjs } from 'react-pdf';
import 'react-pdf/dist/Page/TextLayer.css';
import { useFieldFocus } from '../extraction/field-focus.tsx';
import { scrolledByKeys } from '../ui/scroll-box.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { firstPlace, marksByPage } from './box-geometry.ts';
import { PdfPage } from './pdf-page.tsx';
import { useRestingWidth } from './use-resting-width.ts';
import { useViewerScroll } from './use-viewer-scroll.ts';
import { ViewerToolbar } from './viewer-toolbar.tsx';
import { pixelsPerPoint, type Zoom } from './zoom.ts';

// react-pdf sets a default of its own when it loads: this has to stand in the module that draws.
pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href;

const options = {
  cMapUrl: '/pdfjs/cmaps/',
  standardFontDataUrl: '/pdfjs/standard_fonts/',
  wasmUrl: '/pdfjs/wasm/',
  iccUrl: '/pdfjs/iccs/',
  // Errors only: hints about odd fonts concern nobody here.
  verbosity: 0,
};

interface PageSize {
  width: number;
  height: number;
}

const bed = 16;
const noMarks: never[] = [];

interface PdfViewerProps {
  fileUrl: string;
  grounding: Extraction['grounding'];
}

export function PdfViewer({ fileUrl, grounding }: PdfViewerProps) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [sizes, setSizes] = useState<PageSize[]>([]);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const width = useRestingWidth(scroller);
  const { currentPage, goToPage, reveal } = useViewerScroll(scroller, sizes.length);
  const { selection } = useFieldFocus();
  const [locked, setLocked] = useState(false);
  const marks = useMemo(() => marksByPage(grounding), [grounding]);

  const onLoaded = useCallback((pdf: PDFDocumentProxy) => {
    void pageSizes(pdf).then(setSizes);
  }, []);

  // Without a handler the viewer asks with the browser's own prompt.
  const onPassword = useCallback(() => setLocked(true), []);
  if (locked) throw new Error('The PDF wants a password.');

  const widest = Math.max(1, ...sizes.map((size) => size.width));
  const fitting = Math.max(0.1, (width - 2 * bed) / widest);
  const scale = zoom === 'fit' ? fitting : zoom * pixelsPerPoint;

  const ready = sizes.length > 0 && width > 0;
  useEffect(() => {
    const place = selection && firstPlace(grounding[selection.path]);
    if (ready && place) reveal(place);
  }, [ready, selection, grounding, reveal]);

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ViewerToolbar
        currentPage={currentPage}
        pageCount={sizes.length}
        onPage={goToPage}
        zoom={zoom}
        shownZoom={ready ? scale / pixelsPerPoint : undefined}
        onZoom={setZoom}
      />
      <section
        ref={setScroller}
        aria-label="Pages"
        {...scrolledByKeys}
        className="relative min-h-0 flex-1 overflow-auto bg-page-bed p-4 [scrollbar-gutter:stable]"
      >
        <Suspense fallback={<Loading />}>
          <Document file={fileUrl} options={options} onLoadSuccess={onLoaded} onPassword={onPassword}>
            {ready ? (
              sizes.map((size, index) => (
                <PdfPage
                  key={index}
                  pageNumber={index + 1}
                  width={Math.round(size.width * scale)}
                  height={Math.round(size.height * scale)}
                  marks={marks.get(index + 1) ?? noMarks}
                  root={scroller}
                />
              ))
            ) : (
              <Loading />
            )}
          </Document>
        </Suspense>
      </section>
    </div>
  );
}

function Loading() {
  return (
    <div className="flex h-40 items-center justify-center text-ink-faint">
      <Spinner label="Loading the PDF" className="size-5" />
    </div>
  );
}

/** Sizes in points as displayed, rotation and crop applied, so that every page's place is known before it is drawn. */
async function pageSizes(pdf: PDFDocumentProxy): Promise<PageSize[]> {
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map((number) => pdf.getPage(number)));
  return pages.map((page) => page.getViewport({ scale: 1 }));
}
