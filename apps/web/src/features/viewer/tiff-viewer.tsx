import type { Extraction } from '@docwright/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { PageViewer } from './pages/page-viewer.tsx';
import { createTiffFile, type TiffFile } from './tiff-file.ts';
import type { PageSize } from './geometry/zoom.ts';

interface TiffViewerProps {
  documentId: string;
  fileUrl: string;
  grounding: Extraction['grounding'];
}

const unknown: never[] = [];

export function TiffViewer({ documentId, fileUrl, grounding }: TiffViewerProps) {
  const [pages, setPages] = useState<PageSize[]>(unknown);
  const [failure, setFailure] = useState<string>();
  const [file] = useState(() => createTiffFile(fileUrl));
  useEffect(() => file.open({ onPages: setPages, onFailure: setFailure }), [file]);
  const draw = useMemo(
    () => (pageNumber: number, width: number) => <TiffPage file={file} pageNumber={pageNumber} width={width} />,
    [file],
  );
  if (failure !== undefined) throw new Error(failure);
  return (
    <PageViewer
      documentId={documentId}
      grounding={grounding}
      pages={pages}
      pixels={1}
      draw={draw}
      drawThumbnail={draw}
      waiting={
        <div className="flex h-40 items-center justify-center text-ink-faint">
          <Spinner label="Loading the picture" className="size-5" />
        </div>
      }
    />
  );
}

function TiffPage({ file, pageNumber, width }: { file: TiffFile; pageNumber: number; width: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(
    () =>
      file.read(pageNumber, (picture) => {
        if (!canvas.current) return;
        canvas.current.width = picture.width;
        canvas.current.height = picture.height;
        canvas.current.getContext('2d')?.putImageData(picture, 0, 0);
      }),
    [file, pageNumber],
  );
  return (
    <canvas ref={canvas} className="block h-auto" style={{ width }}>
      Page {pageNumber}
    </canvas>
  );
}
