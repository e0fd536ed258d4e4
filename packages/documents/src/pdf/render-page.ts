import type { Box } from '../page/box.ts';
import type { PageGeometry } from './page-geometry.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';

/** Pixels of a rendered page; four bytes each: blue, green, red, unused. */
export interface RenderedPage {
  pixels: Uint8Array;
  width: number;
  height: number;
  /** Pixels for one point. */
  scale: number;
}

/** Resolution of a rendered page: pixels for one point, and the maximum number of pixels. */
interface Resolution {
  scale: number;
  maxPixels: number;
  /** More flags of PDFium. */
  flags?: number;
}

/** A part of a page in fractions 0–1 of its width and height, origin top left. */
export type PagePart = Box;

const wholePage: PagePart = { x0: 0, y0: 0, x1: 1, y1: 1 };
/** Fine enough to compare the pixels of words. */
const defaultResolution: Resolution = { scale: 2, maxPixels: 4_000_000 };
/** Letters without smoothed edges, so that a pixel belongs to one letter alone. */
export const exactLetters: Resolution = { ...defaultResolution, flags: 0x1000 | 0x2000 | 0x4000 };
const formatBgrx = 3;
const withAnnotations = 1;
const bytesPerPixel = 4;

/** Renders a loaded page, or a part of it, on white, by default at most four million pixels. */
export function renderPage(
  pdfium: Pdfium,
  page: number,
  { width, height }: PageGeometry,
  resolution: Resolution = defaultResolution,
  { x0, y0, x1, y1 }: PagePart = wholePage,
): RenderedPage {
  const { call } = pdfium;
  const [partWidth, partHeight] = [width * (x1 - x0), height * (y1 - y0)];
  const scale = Math.min(resolution.scale, Math.sqrt(resolution.maxPixels / (partWidth * partHeight)));
  const columns = Math.max(1, Math.floor(partWidth * scale));
  const rows = Math.max(1, Math.floor(partHeight * scale));
  const [left, top] = [Math.floor(x0 * width * scale), Math.floor(y0 * height * scale)];
  const flags = withAnnotations | (resolution.flags ?? 0);
  const [pageColumns, pageRows] =
    x1 - x0 === 1 && y1 - y0 === 1 ? [columns, rows] : [Math.round(width * scale), Math.round(height * scale)];
  const size = columns * rows * bytesPerPixel;
  return withMemory(pdfium, size, (buffer) => {
    pdfium.bytes().fill(0xff, buffer, buffer + size);
    const bitmap = call.FPDFBitmap_CreateEx(columns, rows, formatBgrx, buffer, columns * bytesPerPixel);
    call.FPDF_RenderPageBitmap(bitmap, page, -left, -top, pageColumns, pageRows, 0, flags);
    call.FPDFBitmap_Destroy(bitmap);
    return { pixels: pdfium.bytes().slice(buffer, buffer + size), width: columns, height: rows, scale };
  });
}
