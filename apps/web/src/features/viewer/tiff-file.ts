import type { PageSize } from './geometry/zoom.ts';
import * as UTIF from 'utif2';

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

/** What the page asks of the worker: first the file's address, then page after page. */
type TiffRequest = { kind: 'open'; fileUrl: string } | { kind: 'page'; pageNumber: number };

type TiffAnswer =
  | { kind: 'opened'; pages: PageSize[] }
  | { kind: 'page'; pageNumber: number; width: number; pixels: ArrayBuffer }
  | { kind: 'failed'; message: string };

let file: { bytes: ArrayBuffer; pictures: UTIF.IFD[] } | undefined;

async function open(fileUrl: string): Promise<TiffAnswer> {
  const response = await fetch(fileUrl);
  if (!response.ok) throw new Error(`The file was answered with ${response.status}.`);
  const bytes = await response.arrayBuffer();
  const pictures = UTIF.decode(bytes).filter((picture) => numberIn(picture, 't256') > 0);
  file = { bytes, pictures };
  return {
    kind: 'opened',
    pages: pictures.map((picture) => ({ width: numberIn(picture, 't256'), height: numberIn(picture, 't257') })),
  };
}

function page(pageNumber: number): TiffAnswer {
  const picture = file?.pictures[pageNumber - 1];
  if (!file || !picture) throw new Error(`There is no page ${pageNumber}.`);
  UTIF.decodeImage(file.bytes, picture);
  const pixels = UTIF.toRGBA8(picture);
  // Decoded again when it comes into sight again: a scan takes tens of megabytes.
  picture.data = new Uint8Array();
  return { kind: 'page', pageNumber, width: picture.width, pixels: pixels.slice().buffer };
}

/** The first number of a tag. */
function numberIn(picture: UTIF.IFD, tag: string): number {
  const values: unknown = picture[tag];
  const [first]: unknown[] = Array.isArray(values) || values instanceof Uint8Array ? [...values] : [];
  return typeof first === 'number' ? first : 0;
}

self.addEventListener('message', ({ data }: MessageEvent<TiffRequest>) => {
  const answer = data.kind === 'open' ? open(data.fileUrl) : Promise.try(page, data.pageNumber);
  void answer
    .catch((error: unknown): TiffAnswer => ({ kind: 'failed', message: String(error) }))
    .then((message) => self.postMessage(message, { transfer: message.kind === 'page' ? [message.pixels] : [] }));
});
