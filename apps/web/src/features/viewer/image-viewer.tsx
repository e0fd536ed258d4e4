import type { Extraction } from '@docwright/contract';
import { useEffect, useState } from 'react';
import { Notice } from '../../shared/ui/notice.tsx';
import { PageViewer } from './pages/page-viewer.tsx';
import type { PageSize } from './geometry/zoom.ts';
import { CenteredSpinner } from '../../shared/ui/spinner.tsx';

interface ImageViewerProps {
  documentId: string;
  fileUrl: string;
  name: string;
  grounding: Extraction['grounding'];
}

const noPages: never[] = [];

/** Shows an image as a document with one page. */
export function ImageViewer({ documentId, fileUrl, name, grounding }: ImageViewerProps) {
  const [pages, setPages] = useState<PageSize[]>(noPages);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const image = new Image();
    image.addEventListener('load', () => setPages([{ width: image.naturalWidth, height: image.naturalHeight }]));
    image.addEventListener('error', () => setFailed(true));
    image.src = fileUrl;
    return () => image.removeAttribute('src');
  }, [fileUrl]);
  const [draw] = useState(() => (_page: number, width: number) => (
    <img src={fileUrl} alt={name} width={width} draggable={false} className="block h-auto max-w-none" />
  ));
  return (
    <PageViewer
      documentId={documentId}
      grounding={grounding}
      pages={pages}
      pixelsPerUnit={1}
      draw={draw}
      drawThumbnail={draw}
      placeholder={
        failed ? (
          <Notice tone="bad" className="mx-auto max-w-md">
            This picture cannot be shown. It may be damaged or incomplete.{' '}
            <a href={fileUrl} download={name} className="underline underline-offset-2">
              Download the file
            </a>
          </Notice>
        ) : (
          <CenteredSpinner label="Loading the picture" className="h-40" />
        )
      }
    />
  );
}
