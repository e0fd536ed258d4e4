import type { PageGeometry } from './page-geometry.ts';
import { withMemory, type Pdfium } from './pdfium.ts';

/** Pixels of a rendered page; four bytes each: blue, green, red, unused. */
export interface RenderedPage {
  pixels: Uint8Array;
  width: number;
  height: number;
  /** Pixels for one point. */
  scale: number;
}

/** Resolution of a rendered page: pixels for one point, and the maximum number of pixels. */
export interface Fineness {
  scale: number;
  maxPixels: number;
}

const TO_LOOK_AT: Fineness = { scale: 2, maxPixels: 4_000_000 };
const FORMAT_BGRX = 3;
const WITH_ANNOTATIONS = 1;
const BYTES_PER_PIXEL = 4;

/** Renders a loaded page on white, by default at most four million pixels. */
export function renderPage(
  pdfium: Pdfium,
  page: number,
  { width, height }: PageGeometry,
  fineness: Fineness = TO_LOOK_AT,
): RenderedPage {
  const { call } = pdfium;
  const scale = Math.min(fineness.scale, Math.sqrt(fineness.maxPixels / (width * height)));
  const columns = Math.max(1, Math.floor(width * scale));
  const rows = Math.max(1, Math.floor(height * scale));
  const size = columns * rows * BYTES_PER_PIXEL;
  return withMemory(pdfium, size, (buffer) => {
    pdfium.bytes().fill(0xff, buffer, buffer + size);
    const bitmap = call.FPDFBitmap_CreateEx(columns, rows, FORMAT_BGRX, buffer, columns * BYTES_PER_PIXEL);
    call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, WITH_ANNOTATIONS);
    call.FPDFBitmap_Destroy(bitmap);
    return { pixels: pdfium.bytes().slice(buffer, buffer + size), width: columns, height: rows, scale };
  });
}
