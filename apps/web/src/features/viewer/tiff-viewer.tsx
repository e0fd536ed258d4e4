import type { Extraction } from '@docwright/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { PageViewer } from './pages/page-viewer.tsx';
import type { PageSize } from './geometry/zoom.ts';
import type { TiffAnswer, TiffRequest } from './tiff-decoder.ts';

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

interface TiffListener {
  onPages: (pages: PageSize[]) => void;
  onFailure: (message: string) => void;
}

/** Decodes the pages of a TIFF in a worker, since browsers cannot display TIFF. */
interface TiffFile {
  /** Starts the worker; returns a function that ends it. */
  open: (listener: TiffListener) => () => void;
  /** Passes on a page's image when it is decoded; returns a function that cancels this. */
  read: (pageNumber: number, take: (picture: ImageData) => void) => () => void;
}

function createTiffFile(fileUrl: string): TiffFile {
  const waiting = new Map<number, Set<(picture: ImageData) => void>>();
  let worker: Worker | undefined;
  const ask = (request: TiffRequest) => worker?.postMessage(request, { transfer: [] });

  const onAnswer = (answer: TiffAnswer, { onPages, onFailure }: TiffListener) => {
    if (answer.kind === 'failed') onFailure(answer.message);
    if (answer.kind === 'opened') onPages(answer.pages);
    if (answer.kind !== 'page') return;
    const picture = new ImageData(new Uint8ClampedArray(answer.pixels), answer.width);
    for (const take of waiting.get(answer.pageNumber) ?? []) take(picture);
    waiting.delete(answer.pageNumber);
  };

  return {
    open(listener) {
      const opened = new Worker(new URL('tiff-decoder.ts', import.meta.url), { type: 'module' });
      opened.addEventListener('message', ({ data }: MessageEvent<TiffAnswer>) => onAnswer(data, listener));
      opened.addEventListener('error', (event) => listener.onFailure(event.message));
      worker = opened;
      ask({ kind: 'open', fileUrl });
      return () => opened.terminate();
    },
    read(pageNumber, take) {
      const takers = waiting.get(pageNumber) ?? new Set();
      if (takers.size === 0) ask({ kind: 'page', pageNumber });
      waiting.set(pageNumber, takers.add(take));
      return () => takers.delete(take);
    },
  };
}
