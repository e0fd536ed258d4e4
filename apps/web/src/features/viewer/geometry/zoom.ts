/** `width` and `page` fit the available area; a number is a factor of the paper's own size. */
export type Zoom = 'width' | 'page' | number;

export interface PageSize {
  width: number;
  height: number;
}

const zoomSteps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const minZoom = 0.1;
const maxZoom = 6;
/** Small images are not enlarged beyond this factor to fill the area. */
const maxFittedZoom = 3;

/** Margin around the pages in pixels. */
const margin = 16;

export const zoomChoices = [0.5, 0.75, 1, 1.25, 1.5, 2, 4];

export const zoomLabel = (zoom: number) => `${Math.round(zoom * 100)} %`;

/** The next zoom step above or below the current zoom. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const slack = 0.02;
  return direction === 1
    ? (zoomSteps.find((step) => step > zoom + slack) ?? zoomSteps.at(-1)!)
    : (zoomSteps.findLast((step) => step < zoom - slack) ?? zoomSteps[0]!);
}

/** The zoom after a turn of the wheel; a pinch on a touch pad arrives as small turns. */
export function wheelZoom(zoom: number, deltaY: number): number {
  const turn = Math.max(-60, Math.min(60, deltaY));
  return Math.min(maxZoom, Math.max(minZoom, zoom * Math.exp(-turn * 0.003)));
}

/** The zoom as a factor; `pixelsPerUnit` are the CSS pixels of one unit of page size at the paper's own size. */
export function zoomFactor(zoom: Zoom, pages: PageSize[], area: PageSize, pixelsPerUnit: number): number {
  if (typeof zoom === 'number') return zoom;
  const widest = Math.max(1, ...pages.map((page) => page.width)) * pixelsPerUnit;
  const fitting = (area.width - 2 * margin) / widest;
  if (zoom === 'width') return Math.min(maxFittedZoom, Math.max(minZoom, fitting));
  const highest = Math.max(1, ...pages.map((page) => page.height)) * pixelsPerUnit;
  return Math.min(maxFittedZoom, Math.max(minZoom, Math.min(fitting, (area.height - 2 * margin) / highest)));
}

/** The smallest readable width of an A4 page, in pixels. */
const readableWidth = 600;

/** The smallest zoom at which the first page is readable. */
export const readableZoom = ([first]: PageSize[], pixelsPerUnit: number): number =>
  first === undefined ? minZoom : Math.min(maxFittedZoom, readableWidth / (first.width * pixelsPerUnit));
