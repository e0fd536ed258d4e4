import type { TiffAnswer, TiffRequest } from './tiff-decoder.ts';
import type { PageSize } from './geometry/zoom.ts';

interface TiffListener {
  onPages: (pages: PageSize[]) => void;
  onFailure: (message: string) => void;
}

/** One file's pictures, decoded by a worker: browsers cannot draw TIFF themselves. */
export interface TiffFile {
  /** Starts the worker; what it returns ends it. */
  open: (listener: TiffListener) => () => void;
  /** Hands over the picture of a page when it is decoded; what it returns stops waiting for it. */
  read: (pageNumber: number, take: (picture: ImageData) => void) => () => void;
}

export function createTiffFile(fileUrl: string): TiffFile {
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
