import type { PDFDocumentProxy } from 'pdfjs-dist';
import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { Document, Page, pdfjs, type PageProps } from 'react-pdf';
import 'react-pdf/dist/Page/TextLayer.css';
import type { DrawPage } from './pages/page-frame.tsx';
import { useRenderTurn, type RenderKind } from './pages/render-queue.ts';
import { readPageSizes } from './geometry/page-sizes.ts';
import type { PageSize } from './geometry/zoom.ts';
import { CenteredSpinner } from '../../shared/ui/spinner.tsx';

// react-pdf sets a default when it loads, so this has to be in the module that renders.
pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href;

const options = {
  cMapUrl: '/pdfjs/cmaps/',
  standardFontDataUrl: '/pdfjs/standard_fonts/',
  wasmUrl: '/pdfjs/wasm/',
  iccUrl: '/pdfjs/iccs/',
  // Errors only: warnings about unusual fonts do not help users.
  verbosity: 0,
};

/** A larger canvas would take too much memory. */
const maxPixels = 16_000_000;

const pdfPlaceholder = <CenteredSpinner label="Loading the PDF" className="h-40" />;

interface PdfSheetsProps {
  fileUrl: string;
  /** Called with the sizes of all pages as displayed, and again if pages differ. */
  onPages: (pages: PageSize[]) => void;
  children: ReactNode;
}

/** Loads a PDF and provides it to the pages inside. Throws if the file needs a password. */
export function PdfSheets({ fileUrl, onPages, children }: PdfSheetsProps) {
  const [locked, setLocked] = useState(false);
  const onLoaded = useCallback((pdf: PDFDocumentProxy) => void readPageSizes(pdf, onPages), [onPages]);
  // Without a handler react-pdf opens a browser prompt.
  const onPassword = useCallback(() => setLocked(true), []);
  if (locked) throw new Error('This PDF needs a password.');
  return (
    <Suspense fallback={<div className="min-w-0 flex-1 bg-page-bed p-4">{pdfPlaceholder}</div>}>
      <Document
        file={fileUrl}
        options={options}
        onLoadSuccess={onLoaded}
        onPassword={onPassword}
        className="flex min-h-0 min-w-0 flex-1"
      >
        {children}
      </Document>
    </Suspense>
  );
}

interface LoadedPdfProps {
  fileUrl: string;
  /** Called with the sizes of all pages as displayed, and again if pages differ. */
  onPages: (pages: PageSize[]) => void;
  onDrawing: (drawing: PdfDrawing) => void;
  /** Called when the first page is drawn. */
  onFirstPage: () => void;
}

export interface PdfDrawing {
  draw: DrawPage;
  drawThumbnail: DrawPage;
}

/** Loads a PDF and passes on how to draw its pages; it shows nothing itself. Throws if the file cannot be shown. */
export function LoadedPdf({ fileUrl, onPages, onDrawing, onFirstPage }: LoadedPdfProps) {
  const [failure, setFailure] = useState<Error>();
  const onLoaded = useCallback(
    (pdf: PDFDocumentProxy) => {
      const draw: DrawPage = (pageNumber, width) =>
        drawSheetOf(pdf, pageNumber, width, pageNumber === 1 ? onFirstPage : undefined);
      const drawThumbnail: DrawPage = (pageNumber, width) => (
        <Sheet pdf={pdf} kind="thumbnail" pageNumber={pageNumber} width={width} renderTextLayer={false} />
      );
      onDrawing({ draw, drawThumbnail });
      void readPageSizes(pdf, onPages);
    },
    [onPages, onDrawing, onFirstPage],
  );
  // Without a handler react-pdf opens a browser prompt.
  const onPassword = useCallback(() => setFailure(new Error('This PDF needs a password.')), []);
  if (failure) throw failure;
  return (
    <Document
      file={fileUrl}
      options={options}
      onLoadSuccess={onLoaded}
      onLoadError={setFailure}
      onPassword={onPassword}
      className="hidden"
    />
  );
}

const drawSheetOf = (pdf: PDFDocumentProxy, pageNumber: number, width: number, onDrawn: (() => void) | undefined) => (
  <Sheet
    pdf={pdf}
    onDrawn={onDrawn}
    kind="page"
    pageNumber={pageNumber}
    width={width}
    devicePixelRatio={Math.min(window.devicePixelRatio, Math.sqrt(maxPixels / (width * width * 1.5)))}
  />
);

export const drawThumbnail: DrawPage = (pageNumber, width) => (
  <Sheet kind="thumbnail" pageNumber={pageNumber} width={width} renderTextLayer={false} />
);

/** A page that is rendered when its turn has come. */
function Sheet({ kind, onDrawn, ...props }: PageProps & { kind: RenderKind; onDrawn?: (() => void) | undefined }) {
  const { isTurn, finish } = useRenderTurn(kind);
  return (
    <Suspense>
      {isTurn && (
        <Page
          renderAnnotationLayer={false}
          canvasRef={hideFromScreenReaders}
          onLoadError={finish}
          onRenderSuccess={() => {
            finish();
            onDrawn?.();
          }}
          onRenderError={finish}
          {...props}
        />
      )}
    </Suspense>
  );
}

/** Screen readers get the text layer: the structure tree of a tagged PDF can have invalid roles. */
const hideFromScreenReaders = (canvas: HTMLCanvasElement | null) => canvas?.setAttribute('aria-hidden', 'true');
