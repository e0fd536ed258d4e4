import type { Extraction } from '@docwright/contract';
import { useState, type ReactNode } from 'react';
import { PageViewer } from './pages/page-viewer.tsx';
import type { PageSize } from './geometry/zoom.ts';
import { drawSheet, drawThumbnail, PdfSheets, pdfPlaceholder } from './pdf-sheets.tsx';

const pixelsPerPoint = 96 / 72;
const noPages: never[] = [];

interface PdfViewerProps {
  documentId: string;
  fileUrl: string;
  grounding: Extraction['grounding'];
}

export function PdfViewer({ documentId, fileUrl, grounding }: PdfViewerProps) {
  const [pages, setPages] = useState<PageSize[]>(noPages);
  // Only the pages need the loaded PDF: toolbar and search stay open while it loads.
  const wrapPages = (column: ReactNode) => (
    <PdfSheets fileUrl={fileUrl} onPages={setPages}>
      {column}
    </PdfSheets>
  );
  const drawing = { draw: drawSheet, drawThumbnail, placeholder: pdfPlaceholder, wrapPages };
  return (
    <PageViewer
      documentId={documentId}
      grounding={grounding}
      pages={pages}
      pixelsPerUnit={pixelsPerPoint}
      {...drawing}
    />
  );
}
