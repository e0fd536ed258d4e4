import type { Extraction } from '@docwright/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { PageViewer } from './pages/page-viewer.tsx';
import type { PageSize } from './geometry/zoom.ts';
import type { TiffAnswer, TiffRequest } from './tiff-decoder.ts';
import { CenteredSpinner } from '../../shared/ui/spinner.tsx';

interface TiffViewerProps {
  documentId: string;
  fileUrl: string;
  grounding: Extraction['grounding'];
}

const noPages: never[] = [];

export function TiffViewer({ documentId, fileUrl, grounding }: TiffViewerProps) {
  const [pages, setPages] = useState<PageSize[]>(noPages);
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
      pixelsPerUnit={1}
      draw={draw}
      drawThumbnail={draw}
      placeholder={<CenteredSpinner label="Loading the picture" className="h-40" />}
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

interface TiffListener {
  onPages: (pages: PageSize[]) => void;
  onFailure: (message: string) => void;
}

/** Decodes the pages of a TIFF in a worker, since browsers cannot display TIFF. */
interface TiffFile {
  /** Starts the worker; returns a function that ends it. */
  open: (listener: TiffListener) => () => void;
  /** Calls `onPicture` with a page's image when it is decoded; returns a function that cancels this. */
  read: (pageNumber: number, onPicture: (picture: ImageData) => void) => () => void;
}

function createTiffFile(fileUrl: string): TiffFile {
  const listeners = new Map<number, Set<(picture: ImageData) => void>>();
  let worker: Worker | undefined;
  const post = (request: TiffRequest) => worker?.postMessage(request, { transfer: [] });

  const onAnswer = (answer: TiffAnswer, { onPages, onFailure }: TiffListener) => {
    if (answer.kind === 'failed') onFailure(answer.message);
    if (answer.kind === 'opened') onPages(answer.pages);
    if (answer.kind !== 'page') return;
    const picture = new ImageData(new Uint8ClampedArray(answer.pixels), answer.width);
    for (const onPicture of listeners.get(answer.pageNumber) ?? []) onPicture(picture);
    listeners.delete(answer.pageNumber);
  };

  return {
    open(listener) {
      const opened = new Worker(new URL('tiff-decoder.ts', import.meta.url), { type: 'module' });
      opened.addEventListener('message', ({ data }: MessageEvent<TiffAnswer>) => onAnswer(data, listener));
      opened.addEventListener('error', (event) => listener.onFailure(event.message));
      worker = opened;
      post({ kind: 'open', fileUrl });
      return () => opened.terminate();
    },
    read(pageNumber, onPicture) {
      const pageListeners = listeners.get(pageNumber) ?? new Set();
      if (pageListeners.size === 0) post({ kind: 'page', pageNumber });
      listeners.set(pageNumber, pageListeners.add(onPicture));
      return () => pageListeners.delete(onPicture);
    },
  };
}
