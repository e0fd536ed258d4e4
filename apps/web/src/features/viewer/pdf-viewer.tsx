import type { Extraction } from '@docwright/contract';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { picturePath } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { CenteredSpinner } from '../../shared/ui/spinner.tsx';
import type { PageSize } from './geometry/zoom.ts';
import type { DrawPage } from './pages/page-frame.tsx';
import { PageViewer } from './pages/page-viewer.tsx';
import type { PdfDrawing } from './pdf-sheets.tsx';

const pixelsPerPoint = 96 / 72;
const noPages: never[] = [];
/** The width of A4 in points: a picture has no size on paper. */
const assumedWidth = 595;
/** PDF.js loads after this time even if the picture is still on its way. */
const maxWaitMs = 10_000;

let isLoaded = false;
const LoadedPdf = lazyPart(async () => {
  const module = await import('./pdf-sheets.tsx');
  isLoaded = true;
  return { default: module.LoadedPdf };
});

interface PdfViewerProps {
  documentId: string;
  fileUrl: string;
  pageCount: number;
  grounding: Extraction['grounding'];
  /** Called when the first page is drawn. */
  onShown: (() => void) | undefined;
}

/** Shows a PDF. The first one is a picture of its first page until PDF.js, which is large, has been loaded and has drawn it. */
export function PdfViewer({ documentId, fileUrl, pageCount, grounding, onShown }: PdfViewerProps) {
  const [pages, setPages] = useState<PageSize[]>(noPages);
  const [drawing, setDrawing] = useState<PdfDrawing>();
  const [isDrawn, setDrawn] = useState(false);
  const picture = useFirstPicture(documentId);
  const onFirstPage = useCallback(() => {
    setDrawn(true);
    onShown?.();
  }, [onShown]);
  const url = isDrawn ? undefined : picture.url;
  const sizes = useMemo(() => {
    if (pages.length > 0 || picture.size === undefined) return pages;
    return Array.from({ length: pageCount }, () => picture.size!);
  }, [pages, picture.size, pageCount]);
  const draw: DrawPage = useCallback(
    (pageNumber, width) => (
      <>
        {drawing?.draw(pageNumber, width)}
        {pageNumber === 1 && url !== undefined && (
          <img src={url} alt="Page 1" draggable={false} className="pointer-events-none absolute inset-0 size-full" />
        )}
      </>
    ),
    [drawing, url],
  );
  const drawThumbnail: DrawPage = useCallback(
    (pageNumber, width) => drawing?.drawThumbnail(pageNumber, width),
    [drawing],
  );
  return (
    <>
      <PageViewer
        documentId={documentId}
        grounding={grounding}
        pages={sizes}
        pixelsPerUnit={pixelsPerPoint}
        draw={draw}
        drawThumbnail={drawThumbnail}
        placeholder={<CenteredSpinner label="Loading the PDF" className="h-40" />}
      />
      {picture.isOver && (
        <Suspense>
          <LoadedPdf fileUrl={fileUrl} onPages={setPages} onDrawing={setDrawing} onFirstPage={onFirstPage} />
        </Suspense>
      )}
    </>
  );
}

interface FirstPicture {
  url?: string;
  size?: PageSize;
  /** Whether PDF.js can load now: the picture is shown, or the document has no picture. */
  isOver: boolean;
}

/** Loads a picture of the first page, unless PDF.js is there already. */
function useFirstPicture(documentId: string): FirstPicture {
  const { orgId } = useSession();
  const [picture, setPicture] = useState<FirstPicture>({ isOver: isLoaded });
  useEffect(() => {
    if (isLoaded) return undefined;
    const url = picturePath(orgId, documentId);
    const image = new Image();
    const end = () => setPicture((before) => ({ ...before, isOver: true }));
    image.addEventListener('load', () => {
      const { naturalWidth, naturalHeight } = image;
      const size = { width: assumedWidth, height: (assumedWidth * naturalHeight) / naturalWidth };
      setPicture({ url, size, isOver: true });
    });
    image.addEventListener('error', end);
    image.src = url;
    const timer = setTimeout(end, maxWaitMs);
    return () => {
      clearTimeout(timer);
      image.removeAttribute('src');
    };
  }, [orgId, documentId]);
  return picture;
}
