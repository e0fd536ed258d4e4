import * as UTIF from 'utif2';
import type { PageSize } from './geometry/zoom.ts';

/** Messages to the worker: first the file's URL, then page numbers. */
export type TiffRequest = { kind: 'open'; fileUrl: string } | { kind: 'page'; pageNumber: number };

export type TiffAnswer =
  | { kind: 'opened'; pages: PageSize[] }
  | { kind: 'page'; pageNumber: number; width: number; pixels: ArrayBuffer }
  | { kind: 'failed'; message: string };

let file: { bytes: ArrayBuffer; pictures: UTIF.IFD[] } | undefined;

async function open(fileUrl: string): Promise<TiffAnswer> {
  const response = await fetch(fileUrl);
  if (!response.ok) throw new Error(`Loading the file failed with status ${response.status}.`);
  const bytes = await response.arrayBuffer();
  const pictures = UTIF.decode(bytes).filter((picture) => firstValue(picture, 't256') > 0);
  file = { bytes, pictures };
  return {
    kind: 'opened',
    pages: pictures.map((picture) => ({ width: firstValue(picture, 't256'), height: firstValue(picture, 't257') })),
  };
}

function page(pageNumber: number): TiffAnswer {
  const picture = file?.pictures[pageNumber - 1];
  if (!file || !picture) throw new Error(`There is no page ${pageNumber}.`);
  UTIF.decodeImage(file.bytes, picture);
  const pixels = UTIF.toRGBA8(picture);
  // Not cached, since a decoded scan takes tens of megabytes.
  picture.data = new Uint8Array();
  return { kind: 'page', pageNumber, width: picture.width, pixels: pixels.slice().buffer };
}

/** The first number of a tag. */
function firstValue(picture: UTIF.IFD, tag: string): number {
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
