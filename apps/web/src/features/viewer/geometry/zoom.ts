/** `width` and `page` follow the room there is; a number counts the paper's own size as 1. */
export type Zoom = 'width' | 'page' | number;

export interface PageSize {
  width: number;
  height: number;
}

const steps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const [least, most] = [0.1, 6];
/** Small pictures are not blown up further than this to fill the room. */
const maxFitted = 3;

/** Room around the pages, in pixels. */
const bed = 16;

export const zoomChoices = [0.5, 0.75, 1, 1.25, 1.5, 2, 4];

export const zoomLabel = (zoom: number) => `${Math.round(zoom * 100)} %`;

/** The next step above or below what is shown now. */
export function nextZoom(shown: number, direction: 1 | -1): number {
  const slack = 0.02;
  return direction === 1
    ? (steps.find((step) => step > shown + slack) ?? steps.at(-1)!)
    : (steps.findLast((step) => step < shown - slack) ?? steps[0]!);
}

/** What a turn of the wheel makes of the zoom; a pinch on a touch pad arrives as small turns. */
export function wheelZoom(shown: number, deltaY: number): number {
  const turn = Math.max(-60, Math.min(60, deltaY));
  return Math.min(most, Math.max(least, shown * Math.exp(-turn * 0.003)));
}

/** The zoom as a number; `pixels` are those of one unit of a page's size at the paper's own size. */
export function shownZoom(zoom: Zoom, pages: PageSize[], room: PageSize, pixels: number): number {
  if (typeof zoom === 'number') return zoom;
  const widest = Math.max(1, ...pages.map((page) => page.width)) * pixels;
  const fitting = (room.width - 2 * bed) / widest;
  if (zoom === 'width') return Math.min(maxFitted, Math.max(least, fitting));
  const highest = Math.max(1, ...pages.map((page) => page.height)) * pixels;
  return Math.min(maxFitted, Math.max(least, Math.min(fitting, (room.height - 2 * bed) / highest)));
}

/** In pixels: an A4 page of this width can be read, if with effort. */
const readableWidth = 600;

/** The zoom below which the first page is too small to be read. */
export const readableZoom = ([first]: PageSize[], pixels: number): number =>
  first === undefined ? least : Math.min(maxFitted, readableWidth / (first.width * pixels));
