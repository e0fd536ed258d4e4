/** `width` and `page` fit the available room; a number is a factor of the paper's own size. */
export type Zoom = 'width' | 'page' | number;

export interface PageSize {
  width: number;
  height: number;
}

const steps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const [least, most] = [0.1, 6];
/** Small images are not enlarged beyond this factor to fill the room. */
const maxFitted = 3;

/** Margin around the pages in pixels. */
const bed = 16;

export const zoomChoices = [0.5, 0.75, 1, 1.25, 1.5, 2, 4];

export const zoomLabel = (zoom: number) => `${Math.round(zoom * 100)} %`;

/** The next zoom step above or below the present zoom. */
export function nextZoom(shown: number, direction: 1 | -1): number {
  const slack = 0.02;
  return direction === 1
    ? (steps.find((step) => step > shown + slack) ?? steps.at(-1)!)
    : (steps.findLast((step) => step < shown - slack) ?? steps[0]!);
}

/** The zoom after a turn of the wheel; a pinch on a touch pad arrives as small turns. */
export function wheelZoom(shown: number, deltaY: number): number {
  const turn = Math.max(-60, Math.min(60, deltaY));
  return Math.min(most, Math.max(least, shown * Math.exp(-turn * 0.003)));
}

/** The zoom as a factor; `pixels` are CSS pixels of one unit of page size at the paper's own size. */
export function shownZoom(zoom: Zoom, pages: PageSize[], room: PageSize, pixels: number): number {
  if (typeof zoom === 'number') return zoom;
  const widest = Math.max(1, ...pages.map((page) => page.width)) * pixels;
  const fitting = (room.width - 2 * bed) / widest;
  if (zoom === 'width') return Math.min(maxFitted, Math.max(least, fitting));
  const highest = Math.max(1, ...pages.map((page) => page.height)) * pixels;
  return Math.min(maxFitted, Math.max(least, Math.min(fitting, (room.height - 2 * bed) / highest)));
}

/** The smallest readable width of an A4 page, in pixels. */
const readableWidth = 600;

/** The smallest zoom at which the first page is readable. */
export const readableZoom = ([first]: PageSize[], pixels: number): number =>
  first === undefined ? least : Math.min(maxFitted, readableWidth / (first.width * pixels));
