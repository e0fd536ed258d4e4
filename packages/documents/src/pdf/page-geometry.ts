import type { Box } from '../page/box.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';

/**
 * The transformation of PDF coordinates of one page (origin bottom left, before rotation) to points as displayed
 * (origin top left).
 */
export interface PageGeometry {
  width: number;
  height: number;
  /** x' = a·x + c·y + e, y' = b·x + d·y + f */
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** Reads the visible box (crop box within media box) and /Rotate of a loaded page. */
export function readPageGeometry(pdfium: Pdfium, page: number): PageGeometry {
  const { call } = pdfium;
  const width = call.FPDF_GetPageWidthF(page);
  const height = call.FPDF_GetPageHeightF(page);
  const [left, top, right, bottom] = withMemory(pdfium, 16, (address) => {
    call.FPDF_GetPageBoundingBox(page, address);
    return [...pdfium.floats().subarray(address / 4, address / 4 + 4)] as [number, number, number, number];
  });
  // The displayed size includes the page's user unit; coordinates do not.
  const isSideways = call.FPDFPage_GetRotation(page) % 2 === 1;
  const unit = width / ((isSideways ? top - bottom : right - left) || width);
  switch (call.FPDFPage_GetRotation(page)) {
    case 1:
      return { width, height, a: 0, b: unit, c: unit, d: 0, e: -bottom * unit, f: -left * unit };
    case 2:
      return { width, height, a: -unit, b: 0, c: 0, d: unit, e: right * unit, f: -bottom * unit };
    case 3:
      return { width, height, a: 0, b: -unit, c: -unit, d: 0, e: top * unit, f: right * unit };
    default:
      return { width, height, a: unit, b: 0, c: 0, d: -unit, e: -left * unit, f: top * unit };
  }
}

/** The box of two corners in PDF coordinates, as displayed. */
export function displayedBox(geometry: PageGeometry, left: number, bottom: number, right: number, top: number): Box {
  const { a, b, c, d, e, f } = geometry;
  const xs = [a * left + c * bottom + e, a * right + c * top + e] as const;
  const ys = [b * left + d * bottom + f, b * right + d * top + f] as const;
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}
